import { devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import {
  categoryStatsQuery,
  companyStatsQuery,
  countryStatsQuery,
  deviceStatsQuery,
  domainStatsQuery,
  rateQuery,
  timeStatsQuery,
} from '../../api/statistics.ts';
import { type ScopeSearch, scopeOf } from './scope-search.ts';

/** All that the dashboard shows. */
export const dashboardQueries = (search: ScopeSearch) => {
  const scope = scopeOf(search);
  return [
    timeStatsQuery(scope),
    domainStatsQuery(scope),
    companyStatsQuery(scope),
    categoryStatsQuery(scope),
    countryStatsQuery(scope),
    deviceStatsQuery(scope),
    rateQuery(scope),
    devicesQuery,
    serversQuery,
  ];
};

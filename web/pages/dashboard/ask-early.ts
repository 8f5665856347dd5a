import type { QueryClient } from '@tanstack/react-query';
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

/** All that the dashboard shows, asked for at once and while its script is still on its way. */
export function askEarly(queryClient: QueryClient, search: ScopeSearch): void {
  const scope = scopeOf(search);
  void queryClient.prefetchQuery(timeStatsQuery(scope));
  void queryClient.prefetchQuery(domainStatsQuery(scope));
  void queryClient.prefetchQuery(companyStatsQuery(scope));
  void queryClient.prefetchQuery(categoryStatsQuery(scope));
  void queryClient.prefetchQuery(countryStatsQuery(scope));
  void queryClient.prefetchQuery(deviceStatsQuery(scope));
  void queryClient.prefetchQuery(rateQuery(scope));
  void queryClient.prefetchQuery(devicesQuery);
  void queryClient.prefetchQuery(serversQuery);
}

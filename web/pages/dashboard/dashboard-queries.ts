import type { QueryClient } from '@tanstack/react-query';
import { alertsQuery } from '../../api/alerts.ts';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import { deviceProtectionQuery, protectionQuery } from '../../api/protection.ts';
import { serversQuery } from '../../api/servers.ts';
import {
  categoryStatsQuery,
  companyStatsQuery,
  countryStatsQuery,
  deviceStatsQuery,
  domainStatsQuery,
  latencyStatsQuery,
  listStatsQuery,
  rateQuery,
  timeStatsQuery,
} from '../../api/statistics.ts';
import { type ScopeSearch, scopeOf } from './scope-search.ts';

/** Prefetches all data of the dashboard. */
export function prefetchDashboard(queryClient: QueryClient, search: ScopeSearch): readonly Promise<void>[] {
  const scope = scopeOf(search);
  const { device } = scope;
  return [
    device === undefined
      ? queryClient.prefetchQuery(protectionQuery)
      : queryClient.prefetchQuery(deviceProtectionQuery(device)),
    queryClient.prefetchQuery(alertsQuery),
    queryClient.prefetchQuery(timeStatsQuery(scope)),
    queryClient.prefetchQuery(domainStatsQuery(scope)),
    queryClient.prefetchQuery(companyStatsQuery(scope)),
    queryClient.prefetchQuery(categoryStatsQuery(scope)),
    queryClient.prefetchQuery(countryStatsQuery(scope)),
    queryClient.prefetchQuery(deviceStatsQuery(scope)),
    queryClient.prefetchQuery(latencyStatsQuery(scope)),
    queryClient.prefetchQuery(listStatsQuery(scope)),
    queryClient.prefetchQuery(rateQuery(scope)),
    queryClient.prefetchQuery(devicesQuery),
    queryClient.prefetchQuery(networkClientsQuery),
    queryClient.prefetchQuery(serversQuery),
  ];
}

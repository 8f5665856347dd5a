import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { FilterList, ListHealth, WebService } from './wire.ts';

// What can be chosen changes with the program, and hardly otherwise.
const LONG_MS = 600_000;

export const filterListsQuery = queryOptions({
  queryKey: ['catalogue', 'lists'],
  queryFn: ({ signal }) => request<FilterList[]>('GET', '/oapi/v1/filter_lists', { signal }),
  staleTime: LONG_MS,
});

export const listHealthQuery = queryOptions({
  queryKey: ['catalogue', 'health'],
  queryFn: ({ signal }) => request<ListHealth[]>('GET', '/api/v1/filter_lists/health', { signal }),
  refetchInterval: 15_000,
});

export const webServicesQuery = queryOptions({
  queryKey: ['catalogue', 'services'],
  queryFn: ({ signal }) => request<WebService[]>('GET', '/oapi/v1/web_services', { signal }),
  staleTime: LONG_MS,
});

import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

// The catalogue changes only with a new release of the program.
const STALE_MS = 600_000;

export const companiesQuery = queryOptions({
  queryKey: ['catalogue', 'companies'],
  queryFn: ({ signal }) => request('GET /api/v1/companies', { signal }),
  staleTime: STALE_MS,
});

export const filterListsQuery = queryOptions({
  queryKey: ['catalogue', 'lists'],
  queryFn: ({ signal }) => request('GET /oapi/v1/filter_lists', { signal }),
  staleTime: STALE_MS,
});

export const listHealthQuery = queryOptions({
  queryKey: ['catalogue', 'health'],
  queryFn: ({ signal }) => request('GET /api/v1/filter_lists/health', { signal }),
  refetchInterval: 15_000,
});

export type ListKind = 'catalogue' | 'custom';

/** Rules that the last update has changed; `version` is the time of that update. */
export const listChangesQuery = (kind: ListKind, id: string, version: string | undefined) =>
  queryOptions({
    queryKey: ['list changes', kind, id, version],
    queryFn: ({ signal }) =>
      kind === 'catalogue'
        ? request('GET /api/v1/filter_lists/{filter_id}/changes', { params: { filter_id: id }, signal })
        : request('GET /api/v1/custom_lists/{custom_list_id}/changes', { params: { custom_list_id: id }, signal }),
  });

export const safetyListsQuery = queryOptions({
  queryKey: ['catalogue', 'safety'],
  queryFn: ({ signal }) => request('GET /api/v1/filter_lists/safety', { signal }),
  refetchInterval: 5_000,
});

export const webServicesQuery = queryOptions({
  queryKey: ['catalogue', 'services'],
  queryFn: ({ signal }) => request('GET /oapi/v1/web_services', { signal }),
  staleTime: STALE_MS,
});

export const filteringCategoriesQuery = queryOptions({
  queryKey: ['catalogue', 'categories'],
  queryFn: ({ signal }) => request('GET /oapi/v1/parental_control_categories', { signal }),
  staleTime: STALE_MS,
});

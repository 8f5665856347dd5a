import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

const REFRESH_MS = 60_000;

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => request('GET /api/v1/alerts', { signal }),
  refetchInterval: REFRESH_MS,
});

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountUpdate } from './account-wire.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

const AUDIT_PAGE = 100;

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request('GET /api/v1/account', { signal }),
});

export async function updateAccount(update: AccountUpdate): Promise<void> {
  await request('PUT /api/v1/account', { body: update });
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
}

/** Audit log, newest entry first. Any change in the account adds an entry, so cached pages are stale immediately. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ signal, pageParam }) =>
    request('GET /api/v1/audit', { query: { limit: AUDIT_PAGE, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor,
  staleTime: 0,
});

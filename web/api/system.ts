import { queryOptions } from '@tanstack/react-query';
import type { Backup, SystemList } from '../../src/client/operations.ts';
import { listHealthQuery } from './catalogue.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export type { System } from '../../src/client/operations.ts';

const REFETCH_MS = 5000;

/** Only the operator may read this; others get 403. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request('GET /api/v1/system', { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : REFETCH_MS),
});

export async function backUp(): Promise<Backup> {
  const backup = await request('POST /api/v1/system/backup');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
  return backup;
}

export async function acceptFilterList(id: string): Promise<SystemList> {
  const list = await request('POST /api/v1/system/lists/{filter_id}/accept', { params: { filter_id: id } });
  await queryClient.invalidateQueries({ queryKey: listHealthQuery.queryKey });
  return list;
}

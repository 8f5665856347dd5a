import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as system from '../../src/api/wire/system.ts';
import { listHealthQuery } from './catalogue.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export type System = Static<typeof system.System>;
type Backup = Static<typeof system.Backup>;
type SystemList = Static<typeof system.SystemList>;

const REFETCH_MS = 5000;

/** Only the operator may read this; others get 403. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request<System>('GET', '/api/v1/system', { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : REFETCH_MS),
});

export async function backUp(): Promise<Backup> {
  const backup = await request<Backup>('POST', '/api/v1/system/backup');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
  return backup;
}

export async function acceptFilterList(id: string): Promise<SystemList> {
  const list = await request<SystemList>('POST', `/api/v1/system/lists/${encodeURIComponent(id)}/accept`);
  await queryClient.invalidateQueries({ queryKey: listHealthQuery.queryKey });
  return list;
}

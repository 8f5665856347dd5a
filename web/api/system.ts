import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as system from '../../src/api/wire/system.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export type System = Static<typeof system.System>;
type Backup = Static<typeof system.Backup>;

/** How one filter list is, and what it is called. */
export type ListState = {
  readonly filter_id: string;
  readonly name: string;
  readonly is_in_use: boolean;
  readonly rules_count: number;
  readonly time_updated?: string;
  readonly time_checked?: string;
  readonly problem?: string;
};

const LOOK_AGAIN_MS = 5000;

/** For the operator; everybody else is refused. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request<System>('GET', '/api/v1/system', { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : LOOK_AGAIN_MS),
});

export const listStatesQuery = queryOptions({
  queryKey: ['list states'],
  queryFn: async ({ signal }): Promise<ListState[]> => {
    const [states, lists] = await Promise.all([
      request<Omit<ListState, 'name'>[]>('GET', '/api/v1/filter_lists/health', { signal }),
      request<{ filter_id: string; name: string }[]>('GET', '/oapi/v1/filter_lists', { signal }),
    ]);
    const names = new Map(lists.map(({ filter_id, name }) => [filter_id, name]));
    return states.map((state) => ({ ...state, name: names.get(state.filter_id) ?? state.filter_id }));
  },
  refetchInterval: LOOK_AGAIN_MS,
});

export async function backUp(): Promise<Backup> {
  const backup = await request<Backup>('POST', '/api/v1/system/backup');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
  return backup;
}

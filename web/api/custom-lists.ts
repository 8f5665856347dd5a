import { queryOptions } from '@tanstack/react-query';
import type { Configuration } from '../../src/compiler/configuration.ts';
import { problemOf } from './api-error.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { changeCustomLists } from './server-extensions.ts';

/** Custom filter list of the account. */
type CustomList = { readonly id: string; readonly name: string };

/** Null if the service has no custom lists. */
export const customListsQuery = queryOptions({
  queryKey: ['custom lists'],
  queryFn: async ({ signal }): Promise<readonly CustomList[] | null> => {
    try {
      return await request('GET /api/v1/custom_lists', { signal });
    } catch (error) {
      if (problemOf(error).kind === 'gone') return null;
      throw error;
    }
  },
});

export type CompiledList = {
  readonly name: string;
  readonly configuration: Configuration;
  /** Id of the custom list to replace, if any. */
  readonly replacedId: string | undefined;
  /** Ids of the DNS servers that will use the list. */
  readonly servers: readonly string[];
};

/** Creates or replaces a compiled custom list and enables it on DNS servers. */
export async function createCompiledList({ name, configuration, replacedId, servers }: CompiledList): Promise<void> {
  const body = { name, configuration };
  const { id } =
    replacedId === undefined
      ? await request('POST /api/v1/custom_lists', { body })
      : await request('PUT /api/v1/custom_lists/{custom_list_id}', { params: { custom_list_id: replacedId }, body });
  for (const server of servers)
    await changeCustomLists(server, (lists) => [...lists.filter((list) => list.id !== id), { id, enabled: true }]);
  await queryClient.invalidateQueries({ queryKey: customListsQuery.queryKey });
}

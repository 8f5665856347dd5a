import { queryOptions } from '@tanstack/react-query';
import type { Configuration } from '../../src/compiler/configuration.ts';
import { problemOf } from './api-error.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

/** Custom filter list of the account. */
type CustomList = { readonly id: string; readonly name: string };
type EnabledLists = { readonly custom_lists: readonly { readonly id: string; readonly enabled: boolean }[] };

const PATH = '/api/v1/custom_lists';
const enabledPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/custom_lists`;

/** Null if the service has no custom lists. */
export const customListsQuery = queryOptions({
  queryKey: ['custom lists'],
  queryFn: async ({ signal }): Promise<readonly CustomList[] | null> => {
    try {
      return await request<CustomList[]>('GET', PATH, { signal });
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
      ? await request<CustomList>('POST', PATH, { body })
      : await request<CustomList>('PUT', `${PATH}/${encodeURIComponent(replacedId)}`, { body });
  for (const server of servers) {
    const { custom_lists } = await request<EnabledLists>('GET', enabledPath(server));
    const others = custom_lists.filter((list) => list.id !== id);
    await request('PUT', enabledPath(server), { body: { custom_lists: [...others, { id, enabled: true }] } });
  }
  await queryClient.invalidateQueries({ queryKey: customListsQuery.queryKey });
}

import { queryOptions } from '@tanstack/react-query';
import type { Configuration } from '../../src/compiler/configuration.ts';
import { problemOf } from './api-error.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

/** A filter list of this account. */
type CustomList = { readonly id: string; readonly name: string };
type Chosen = { readonly custom_lists: readonly { readonly id: string; readonly enabled: boolean }[] };

const PATH = '/api/v1/custom_lists';
const chosenPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/custom_lists`;

/** Undefined where the service has no such lists. */
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
  /** Of the list that it takes the place of. */
  readonly instead: string | undefined;
  /** The DNS servers that shall use it. */
  readonly servers: readonly string[];
};

/** Brings a list that the compiler makes, and has DNS servers use it. */
export async function createCompiledList({ name, configuration, instead, servers }: CompiledList): Promise<void> {
  const body = { name, configuration };
  const { id } =
    instead === undefined
      ? await request<CustomList>('POST', PATH, { body })
      : await request<CustomList>('PUT', `${PATH}/${encodeURIComponent(instead)}`, { body });
  for (const server of servers) {
    const { custom_lists } = await request<Chosen>('GET', chosenPath(server));
    const others = custom_lists.filter((chosen) => chosen.id !== id);
    await request('PUT', chosenPath(server), { body: { custom_lists: [...others, { id, enabled: true }] } });
  }
  await queryClient.invalidateQueries({ queryKey: customListsQuery.queryKey });
}

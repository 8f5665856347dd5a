import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { withUsedStrategy } from './upstream-strategy.ts';
import type { ChosenCustomLists, CustomList, SkippedRules, TemporaryRule, Upstreams } from './wire.ts';

const pathOf = (server: string, resource: string): string =>
  `/api/v1/dns_servers/${encodeURIComponent(server)}/${resource}`;
const listPathOf = (id: string): string => `/api/v1/custom_lists/${encodeURIComponent(id)}`;

const REFETCH_MS = 15_000;

export const upstreamsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'upstreams'],
    queryFn: ({ signal }) => request<Upstreams>('GET', pathOf(server, 'upstreams'), { signal }),
  });

export const temporaryRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'temporary rules'],
    queryFn: ({ signal }) => request<TemporaryRule[]>('GET', pathOf(server, 'temporary_rules'), { signal }),
    refetchInterval: REFETCH_MS,
  });

export const skippedRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'skipped rules'],
    queryFn: ({ signal }) => request<SkippedRules>('GET', pathOf(server, 'skipped_rules'), { signal }),
  });

export const chosenCustomListsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'custom lists'],
    queryFn: ({ signal }) => request<ChosenCustomLists>('GET', pathOf(server, 'custom_lists'), { signal }),
  });

export const customListsQuery = queryOptions({
  queryKey: ['custom lists'],
  queryFn: ({ signal }) => request<CustomList[]>('GET', '/api/v1/custom_lists', { signal }),
  refetchInterval: REFETCH_MS,
});

async function thenInvalidate<T>(pending: Promise<T>, ...keys: readonly (readonly string[])[]): Promise<T> {
  const response = await pending;
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return response;
}

export const setUpstreams = (server: string, body: Upstreams): Promise<Upstreams> =>
  thenInvalidate(request('PUT', pathOf(server, 'upstreams'), { body: withUsedStrategy(body) }), ['servers', server]);

export const addTemporaryRule = (server: string, rule: string, minutes: number): Promise<TemporaryRule> =>
  thenInvalidate(request('POST', pathOf(server, 'temporary_rules'), { body: { rule, minutes } }), ['servers', server]);

export const endTemporaryRule = (server: string, id: string): Promise<void> =>
  thenInvalidate(request('DELETE', pathOf(server, `temporary_rules/${encodeURIComponent(id)}`)), ['servers', server]);

export const chooseCustomLists = (
  server: string,
  custom_lists: ChosenCustomLists['custom_lists'],
): Promise<ChosenCustomLists> =>
  thenInvalidate(
    request('PUT', pathOf(server, 'custom_lists'), { body: { custom_lists } }),
    ['servers', server],
    customListsQuery.queryKey,
  );

/** Either `url` or `rules` is set. */
export type CustomListText = { readonly name: string; readonly url?: string; readonly rules?: string };

export const createCustomList = (list: CustomListText): Promise<CustomList> =>
  thenInvalidate(request('POST', '/api/v1/custom_lists', { body: list }), customListsQuery.queryKey);

export const updateCustomList = (id: string, list: CustomListText): Promise<CustomList> =>
  thenInvalidate(request('PUT', listPathOf(id), { body: list }), customListsQuery.queryKey);

export const removeCustomList = (id: string): Promise<void> =>
  thenInvalidate(request('DELETE', listPathOf(id)), customListsQuery.queryKey, ['servers']);

export const refreshCustomList = (id: string): Promise<CustomList> =>
  thenInvalidate(request('POST', `${listPathOf(id)}/refresh`), customListsQuery.queryKey);

export const acceptCustomList = (id: string): Promise<CustomList> =>
  thenInvalidate(request('POST', `${listPathOf(id)}/accept`), customListsQuery.queryKey);

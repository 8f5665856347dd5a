import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { ChosenCustomLists, CustomList, SkippedRules, TemporaryRule, Upstreams } from './wire.ts';

const ownPathOf = (server: string, what: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/${what}`;
const listPathOf = (id: string): string => `/api/v1/custom_lists/${encodeURIComponent(id)}`;

const LOOK_AGAIN_MS = 15_000;

export const upstreamsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'upstreams'],
    queryFn: ({ signal }) => request<Upstreams>('GET', ownPathOf(server, 'upstreams'), { signal }),
  });

export const temporaryRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'temporary rules'],
    queryFn: ({ signal }) => request<TemporaryRule[]>('GET', ownPathOf(server, 'temporary_rules'), { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const skippedRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'skipped rules'],
    queryFn: ({ signal }) => request<SkippedRules>('GET', ownPathOf(server, 'skipped_rules'), { signal }),
  });

export const chosenCustomListsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'custom lists'],
    queryFn: ({ signal }) => request<ChosenCustomLists>('GET', ownPathOf(server, 'custom_lists'), { signal }),
  });

export const customListsQuery = queryOptions({
  queryKey: ['custom lists'],
  queryFn: ({ signal }) => request<CustomList[]>('GET', '/api/v1/custom_lists', { signal }),
  refetchInterval: LOOK_AGAIN_MS,
});

async function andShow<T>(asked: Promise<T>, ...keys: readonly (readonly string[])[]): Promise<T> {
  const answer = await asked;
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return answer;
}

export const setUpstreams = (server: string, upstreams: string[]): Promise<Upstreams> =>
  andShow(request('PUT', ownPathOf(server, 'upstreams'), { body: { upstreams } }), ['servers', server]);

export const addTemporaryRule = (server: string, rule: string, minutes: number): Promise<TemporaryRule> =>
  andShow(request('POST', ownPathOf(server, 'temporary_rules'), { body: { rule, minutes } }), ['servers', server]);

export const endTemporaryRule = (server: string, id: string): Promise<void> =>
  andShow(request('DELETE', ownPathOf(server, `temporary_rules/${encodeURIComponent(id)}`)), ['servers', server]);

export const chooseCustomLists = (
  server: string,
  custom_lists: ChosenCustomLists['custom_lists'],
): Promise<ChosenCustomLists> =>
  andShow(
    request('PUT', ownPathOf(server, 'custom_lists'), { body: { custom_lists } }),
    ['servers', server],
    customListsQuery.queryKey,
  );

/** Only one of address and rules is given. */
export type CustomListText = { readonly name: string; readonly url?: string; readonly rules?: string };

export const createCustomList = (list: CustomListText): Promise<CustomList> =>
  andShow(request('POST', '/api/v1/custom_lists', { body: list }), customListsQuery.queryKey);

export const updateCustomList = (id: string, list: CustomListText): Promise<CustomList> =>
  andShow(request('PUT', listPathOf(id), { body: list }), customListsQuery.queryKey);

export const removeCustomList = (id: string): Promise<void> =>
  andShow(request('DELETE', listPathOf(id)), customListsQuery.queryKey, ['servers']);

export const refreshCustomList = (id: string): Promise<CustomList> =>
  andShow(request('POST', `${listPathOf(id)}/refresh`), customListsQuery.queryKey);

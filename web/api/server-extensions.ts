import { queryOptions } from '@tanstack/react-query';
import { changeLatest, mergeChanges } from './change-latest.ts';
import { queryClient } from './query-client.ts';
import { exchange, request } from './request.ts';
import { withUsedStrategy } from './upstream-strategy.ts';
import type { ChosenCustomLists, CustomList, TemporaryRule, Upstreams } from './wire.ts';

const REFETCH_MS = 15_000;

export const upstreamsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'upstreams'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/upstreams', { params: { dns_server_id: server }, signal }),
  });

export const temporaryRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'temporary rules'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/temporary_rules', { params: { dns_server_id: server }, signal }),
    refetchInterval: REFETCH_MS,
  });

export const skippedRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'skipped rules'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/skipped_rules', { params: { dns_server_id: server }, signal }),
  });

export const chosenCustomListsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'custom lists'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/custom_lists', { params: { dns_server_id: server }, signal }),
  });

export const customListsQuery = queryOptions({
  queryKey: ['custom lists'],
  queryFn: ({ signal }) => request('GET /api/v1/custom_lists', { signal }),
  refetchInterval: REFETCH_MS,
});

async function thenInvalidate<T>(pending: Promise<T>, ...keys: readonly (readonly string[])[]): Promise<T> {
  try {
    return await pending;
  } finally {
    // Also after an error: others may have changed the resource.
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  }
}

/** Saves the upstreams that were edited since `base`. */
export function setUpstreams(server: string, base: Upstreams, edited: Upstreams): Promise<Upstreams> {
  const params = { dns_server_id: server };
  return thenInvalidate(
    changeLatest(
      () => exchange('GET /api/v1/dns_servers/{dns_server_id}/upstreams', { params }),
      (current) => mergeChanges<Upstreams>(base, edited, current),
      (changed, ifMatch) =>
        request('PUT /api/v1/dns_servers/{dns_server_id}/upstreams', {
          params,
          body: withUsedStrategy(changed),
          ifMatch,
        }),
    ),
    ['servers', server],
  );
}

/** Changes when a list is enabled, and again when it is downloaded. */
export const listOverlapQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'list overlap'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/list_overlap', { params: { dns_server_id: server }, signal }),
    refetchInterval: 30_000,
  });

export const addTemporaryRule = (server: string, rule: string, minutes: number): Promise<TemporaryRule> =>
  thenInvalidate(
    request('POST /api/v1/dns_servers/{dns_server_id}/temporary_rules', {
      params: { dns_server_id: server },
      body: { rule, minutes },
    }),
    ['servers', server],
  );

export const endTemporaryRule = (server: string, id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/dns_servers/{dns_server_id}/temporary_rules/{temporary_rule_id}', {
      params: { dns_server_id: server, temporary_rule_id: id },
    }),
    ['servers', server],
  );

type Selection = ChosenCustomLists['custom_lists'];

export function changeCustomLists(
  server: string,
  change: (current: Selection) => Selection,
): Promise<ChosenCustomLists> {
  const params = { dns_server_id: server };
  return thenInvalidate(
    changeLatest(
      () => exchange('GET /api/v1/dns_servers/{dns_server_id}/custom_lists', { params }),
      ({ custom_lists }) => ({ custom_lists: change(custom_lists) }),
      (body, ifMatch) => request('PUT /api/v1/dns_servers/{dns_server_id}/custom_lists', { params, body, ifMatch }),
    ),
    ['servers', server],
    customListsQuery.queryKey,
  );
}

/** Either `url` or `rules` is set. */
export type CustomListText = { readonly name: string; readonly url?: string; readonly rules?: string };

export const createCustomList = (list: CustomListText): Promise<CustomList> =>
  thenInvalidate(request('POST /api/v1/custom_lists', { body: list }), customListsQuery.queryKey);

export const updateCustomList = (id: string, list: CustomListText): Promise<CustomList> =>
  thenInvalidate(
    request('PUT /api/v1/custom_lists/{custom_list_id}', { params: { custom_list_id: id }, body: list }),
    customListsQuery.queryKey,
  );

export const removeCustomList = (id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/custom_lists/{custom_list_id}', { params: { custom_list_id: id } }),
    customListsQuery.queryKey,
    ['servers'],
  );

/** Possible for a minute after the removal. */
export const restoreCustomList = (id: string): Promise<CustomList> =>
  thenInvalidate(
    request('POST /api/v1/custom_lists/{custom_list_id}/restore', { params: { custom_list_id: id } }),
    customListsQuery.queryKey,
    ['servers'],
  );

export const refreshCustomList = (id: string): Promise<CustomList> =>
  thenInvalidate(
    request('POST /api/v1/custom_lists/{custom_list_id}/refresh', { params: { custom_list_id: id } }),
    customListsQuery.queryKey,
  );

export const acceptCustomList = (id: string): Promise<CustomList> =>
  thenInvalidate(
    request('POST /api/v1/custom_lists/{custom_list_id}/accept', { params: { custom_list_id: id } }),
    customListsQuery.queryKey,
  );

import Type, { type Static } from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { createCustomList, type CustomList as List, updateCustomList } from '../domain/custom-list.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { withoutUrlSecretsIn } from '../domain/url-secrets.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { newId } from '../operations/new-secrets.ts';
import { removeCustomList, restoreCustomList } from '../operations/remove-custom-list.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { CustomList, CustomListInput, customListToWire } from './wire/custom-list.ts';

const group = 'Custom lists';
const Params = Type.Object({ custom_list_id: Type.String({ description: 'Custom list id.' }) });

type ListInput = { readonly caller: Caller; readonly params: { readonly custom_list_id: string } };

async function findList(
  store: Pick<StoreReader, 'customLists'>,
  { caller, params }: ListInput,
): Promise<Result<List, ApiError>> {
  const list = await store.customLists.find(caller.account, params.custom_list_id);
  return list ? ok(list) : err({ kind: 'not found', what: 'custom list' });
}

/** Viewers do not get user names, passwords and queries of the sources. */
const shown = (list: List, { role }: Caller, { listHealth }: Pick<Deps, 'listHealth'>): Static<typeof CustomList> =>
  customListToWire(
    mayWrite(role) || list.source.kind === 'rules' ? list : { ...list, source: withoutUrlSecretsIn(list.source) },
    listHealth().find(({ id }) => id === list.id),
  );

/** Checks a configuration as the compiler does. */
function checked(input: Static<typeof CustomListInput>, deps: Deps) {
  if (input.configuration === undefined) return ok({ ...input, configuration: undefined });
  const configuration = deps.checkConfiguration(input.configuration, 'configuration');
  return configuration.ok ? ok({ ...input, configuration: configuration.value }) : configuration;
}

const SOON_MS = 30_000;

export const customListOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/custom_lists',
    operationId: 'listCustomLists',
    group,
    summary: 'List custom filter lists',
    description: 'Filter lists that the account has made from sources or rules.',
    query: Type.Object(listParameters),
    reply: Type.Array(CustomList),
    replyHeaders: listHeaders,
    responseDescription: 'Custom lists with their status, oldest first.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const lists = await store.customLists.list(caller.account);
      return pageOfList(
        lists.map((list) => shown(list, caller, deps)),
        query,
        ({ id }) => id,
      );
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/custom_lists',
    operationId: 'createCustomList',
    group,
    summary: 'Create a custom filter list',
    description:
      'The content is a URL, rules, or a compiler configuration whose sources are URLs or rules. The list is downloaded when a DNS server uses it.',
    body: CustomListInput,
    reply: CustomList,
    responseDescription: 'The new list.',
    errors: [400, 429],
    run: async (store, { caller: { account }, body }, deps) => {
      const input = checked(body, deps);
      if (!input.ok) return input;
      const quota = { used: (await store.customLists.list(account)).length, limit: deps.maxCustomLists };
      const list = createCustomList(quota, input.value, { id: newId(deps), account, createdAt: deps.now() });
      if (!list.ok) return list;
      const added = await store.customLists.add(list.value);
      if (!added.ok) return added;
      const audit = { action: 'custom_list.create', subject: list.value.id, ...changed(undefined, list.value) };
      return ok({ reply: customListToWire(list.value, undefined), audit });
    },
  }),
  query({
    method: 'GET',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'getCustomList',
    group,
    summary: 'Get a custom filter list',
    description: 'The list with its source, rules and the result of the last check.',
    params: Params,
    reply: CustomList,
    responseDescription: 'The list and its status.',
    errors: [404],
    run: async (store, input, deps) => {
      const list = await findList(store, input);
      return list.ok ? ok(shown(list.value, input.caller, deps)) : list;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'updateCustomList',
    group,
    summary: 'Update a custom filter list',
    description: 'Fields that are not given stay unchanged. The previous content is used until the new one is loaded.',
    params: Params,
    body: CustomListInput,
    reply: CustomList,
    responseDescription: 'The updated list.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const before = await findList(store, input);
      if (!before.ok) return before;
      const content = checked(input.body, deps);
      if (!content.ok) return content;
      const after = updateCustomList(before.value, content.value);
      if (!after.ok) return after;
      await store.customLists.update(after.value);
      const audit = { action: 'custom_list.update', subject: after.value.id, ...changed(before.value, after.value) };
      return ok({ reply: shown(after.value, input.caller, deps), audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'removeCustomList',
    group,
    summary: 'Delete a custom filter list and remove it from all DNS servers',
    description: 'The change applies to the next query. It can be restored for a minute.',
    params: Params,
    responseDescription: 'List deleted.',
    errors: [404],
    run: async (store, input, deps) => {
      const list = await findList(store, input);
      return list.ok ? ok({ reply: undefined, audit: await removeCustomList(store, deps, list.value) }) : list;
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/custom_lists/:custom_list_id/restore',
    operationId: 'restoreCustomList',
    group,
    summary: 'Restore a custom filter list that was deleted',
    description: 'Within a minute after the deletion: with its id, and in the DNS servers that used it.',
    params: Params,
    reply: CustomList,
    responseDescription: 'The list. It is downloaded again if a DNS server uses it.',
    errors: [404, 429],
    run: async (store, { caller, params }, deps) => {
      const restored = await restoreCustomList(store, deps, caller.account, params.custom_list_id);
      if (!restored.ok) return restored;
      const { list, audit } = restored.value;
      return ok({ reply: customListToWire(list, undefined), audit });
    },
  }),
  query({
    method: 'POST',
    path: '/api/v1/custom_lists/:custom_list_id/refresh',
    operationId: 'refreshCustomList',
    requires: 'writer',
    group,
    summary: 'Refresh a custom filter list',
    description:
      'Responds when the check is complete. A list that no DNS server uses, or that was checked in the last 30 seconds, is not downloaded.',
    params: Params,
    reply: CustomList,
    responseDescription: 'The list and its status.',
    errors: [404],
    run: async (store, input, deps) => {
      const list = await findList(store, input);
      if (!list.ok) return list;
      const { checkedAt = 0 } = deps.listHealth().find(({ id }) => id === list.value.id) ?? {};
      if (Math.abs(deps.now() - checkedAt) >= SOON_MS) await deps.refreshList(list.value.id);
      return ok(shown(list.value, input.caller, deps));
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/custom_lists/:custom_list_id/accept',
    operationId: 'acceptCustomList',
    group,
    summary: 'Use the version of a custom filter list that is held back',
    description: 'Responds when the list is downloaded. A list without `is_held_back` does not change.',
    params: Params,
    reply: CustomList,
    responseDescription: 'The list and its status.',
    errors: [404],
    prepare: async (deps, input) => {
      const list = await findList(deps.store.read, input);
      if (list.ok) await deps.acceptList(list.value.id);
      return list;
    },
    run: async (_store, { caller }, deps, list) =>
      ok({ reply: shown(list, caller, deps), audit: { action: 'custom_list.accept', subject: list.id } }),
  }),
];

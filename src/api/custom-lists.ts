import Type, { type Static } from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { createCustomList, type CustomList as List, updateCustomList } from '../domain/custom-list.ts';
import { withoutUrlSecretsIn } from '../domain/url-secrets.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import { newId } from './new-secrets.ts';
import { change, type Operation, read } from './operation.ts';
import type { Reading } from './store-deps.ts';
import { CustomList, CustomListWish, customListToWire } from './wire/custom-list.ts';

const group = 'Custom lists';
const Params = Type.Object({ custom_list_id: Type.String({ description: 'Which list.' }) });

type ListAsked = { readonly caller: Caller; readonly params: { readonly custom_list_id: string } };

async function findList(
  store: Pick<Reading, 'customLists'>,
  { caller, params }: ListAsked,
): Promise<Result<List, Refusal>> {
  const list = await store.customLists.find(caller.account, params.custom_list_id);
  return list ? ok(list) : err({ kind: 'not found', what: 'custom list' });
}

/** Viewers do not get user names, passwords and queries of the sources. */
const shown = (list: List, { role }: Caller, { listHealth }: Pick<Deps, 'listHealth'>): Static<typeof CustomList> =>
  customListToWire(
    mayWrite(role) || list.source.kind === 'rules' ? list : { ...list, source: withoutUrlSecretsIn(list.source) },
    listHealth().find(({ id }) => id === list.id),
  );

/** As wished; a configuration is checked as the compiler checks it. */
function checked(wish: Static<typeof CustomListWish>, deps: Deps) {
  if (wish.configuration === undefined) return ok({ ...wish, configuration: undefined });
  const configuration = deps.checkConfiguration(wish.configuration, 'configuration');
  return configuration.ok ? ok({ ...wish, configuration: configuration.value }) : configuration;
}

const SOON_MS = 30_000;

export const customListOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/custom_lists',
    operationId: 'listCustomLists',
    group,
    summary: 'The filter lists of this account, and how they are',
    reply: Type.Array(CustomList),
    replyWords: 'The oldest first.',
    run: async (store, { caller }, deps) =>
      ok((await store.customLists.list(caller.account)).map((list) => shown(list, caller, deps))),
  }),
  change({
    method: 'POST',
    path: '/api/v1/custom_lists',
    operationId: 'createCustomList',
    group,
    summary: 'Bring a filter list',
    description:
      'By the address of a list, by rules, or by a configuration for the compiler, whose sources are addresses or rules. It is fetched as soon as a DNS server uses it.',
    body: CustomListWish,
    reply: CustomList,
    replyWords: 'The new list.',
    refusals: [400, 429],
    run: async (store, { caller: { account }, body }, deps) => {
      const wish = checked(body, deps);
      if (!wish.ok) return wish;
      const room = { used: (await store.customLists.list(account)).length, limit: deps.maxCustomLists };
      const list = createCustomList(room, wish.value, { id: newId(deps), account, createdAt: deps.now() });
      if (!list.ok) return list;
      const added = await store.customLists.add(list.value);
      if (!added.ok) return added;
      const audit = { action: 'custom_list.create', subject: list.value.id, ...changed(undefined, list.value) };
      return ok({ reply: customListToWire(list.value, undefined), audit });
    },
  }),
  read({
    method: 'GET',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'getCustomList',
    group,
    summary: 'One filter list of this account',
    params: Params,
    reply: CustomList,
    replyWords: 'The list, and how it is.',
    refusals: [404],
    run: async (store, asked, deps) => {
      const list = await findList(store, asked);
      return list.ok ? ok(shown(list.value, asked.caller, deps)) : list;
    },
  }),
  change({
    method: 'PUT',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'updateCustomList',
    group,
    summary: 'Rename a list, or change what is in it',
    description: 'What is not given stays. Until the new content is there, the old one filters.',
    params: Params,
    body: CustomListWish,
    reply: CustomList,
    replyWords: 'The list as it is now.',
    refusals: [400, 404],
    run: async (store, asked, deps) => {
      const before = await findList(store, asked);
      if (!before.ok) return before;
      const wish = checked(asked.body, deps);
      if (!wish.ok) return wish;
      const after = updateCustomList(before.value, wish.value);
      if (!after.ok) return after;
      await store.customLists.update(after.value);
      const audit = { action: 'custom_list.update', subject: after.value.id, ...changed(before.value, after.value) };
      return ok({ reply: shown(after.value, asked.caller, deps), audit });
    },
  }),
  change({
    method: 'DELETE',
    path: '/api/v1/custom_lists/:custom_list_id',
    operationId: 'removeCustomList',
    group,
    summary: 'Remove a list, from all DNS servers as well',
    params: Params,
    replyWords: 'It is gone.',
    refusals: [404],
    run: async (store, asked) => {
      const list = await findList(store, asked);
      if (!list.ok) return list;
      const { account, id } = list.value;
      for (const profile of await store.profiles.list(account)) {
        const { settings } = profile;
        const customLists = settings.own.customLists.filter((chosen) => chosen.id !== id);
        if (customLists.length < settings.own.customLists.length)
          await store.profiles.update({ ...profile, settings: { ...settings, own: { ...settings.own, customLists } } });
      }
      await store.customLists.remove(account, id);
      return ok({
        reply: undefined,
        audit: { action: 'custom_list.remove', subject: id, ...changed(list.value, undefined) },
      });
    },
  }),
  read({
    method: 'POST',
    path: '/api/v1/custom_lists/:custom_list_id/refresh',
    operationId: 'refreshCustomList',
    who: 'writer',
    group,
    summary: 'Look at the source of a list now',
    description:
      'Waits for it. A list that no DNS server uses is not fetched, and one that was looked at within half a minute not again.',
    params: Params,
    reply: CustomList,
    replyWords: 'The list, and how it is.',
    refusals: [404],
    run: async (store, asked, deps) => {
      const list = await findList(store, asked);
      if (!list.ok) return list;
      const { checkedAt = 0 } = deps.listHealth().find(({ id }) => id === list.value.id) ?? {};
      if (Math.abs(deps.now() - checkedAt) >= SOON_MS) await deps.refreshList(list.value.id);
      return ok(shown(list.value, asked.caller, deps));
    },
  }),
];

import Type, { type Static, type TSchema } from 'typebox';
import { updateSettings } from '../domain/profile-update.ts';
import { type EntryList, entryLists } from '../domain/settings-entries.ts';
import { err } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { findServer, quotaFor, ServerParams, serverState } from './dns-servers.ts';
import { mutation, type Operation } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { problemOf } from './rules-without-effect.ts';
import {
  BlockedServiceEntry,
  ClientEntry,
  ClientQuery,
  EntryCount,
  FilterListEntry,
  RuleCount,
  RuleEntry,
  RuleQuery,
} from './wire/settings-entries.ts';

const group = 'DNS servers';
const action = 'dns_server.settings';

type Described<Entry, Body extends TSchema> = {
  /** Last part of the path. */
  readonly name: string;
  /** Part of the operation ids, for example `UserRule` in `addUserRule`. */
  readonly id: string;
  /** Name in texts, for example `user rules`. */
  readonly what: string;
  readonly list: EntryList<Entry>;
  readonly body: Body;
  readonly entryOf: (body: never) => Entry;
  /** Default: `EntryCount`. */
  readonly reply?: typeof RuleCount;
  /** Further members of the reply. */
  readonly note?: (entry: Entry, deps: Deps) => Partial<Static<typeof RuleCount>>;
  /** The member of the body that identifies the entry. Rules and clients are a parameter of the deletion, ids a part of its path. */
  readonly key: string;
  readonly deletion: { readonly query: TSchema } | { readonly params: TSchema };
};

function entryOperations<Entry, Body extends TSchema>(list: Described<Entry, Body>): Operation[] {
  const { name, id, what, key, deletion } = list;
  const path = `/api/v1/dns_servers/:dns_server_id/${name}`;
  const isInPath = 'params' in deletion;
  return [
    mutation({
      method: 'POST',
      path,
      operationId: `add${id}`,
      group,
      summary: `Add one of the ${what}`,
      description:
        'Adds one entry to the current list, so that parallel requests do not undo each other. Adding an entry that is in the list changes nothing.',
      params: ServerParams,
      stateOf: serverState,
      body: list.body,
      reply: list.reply ?? EntryCount,
      responseDescription: 'The entry is in the list; it applies from the next query on.',
      errors: [400, 404],
      run: async (store, input, deps) => {
        const server = await findServer(store, input);
        if (!server.ok) return server;
        const before = server.value;
        const entry = list.entryOf(input.body as never);
        const update = list.list.add(before.settings, entry);
        const quota = await quotaFor(store, input.caller.account, deps, before);
        const settings = updateSettings(before.settings, update, quota);
        // Existing entries are always valid, so every error is about the new one.
        if (!settings.ok && settings.error.kind === 'invalid')
          return err({
            ...settings.error,
            errors: settings.error.errors.map((fieldError) => ({ ...fieldError, field: key })),
          });
        if (!settings.ok) return settings;
        const after = { ...before, settings: settings.value };
        const reply = { count: list.list.count(after.settings), ...list.note?.(entry, deps) };
        return replaceProfile(store, { before, after, action }, reply);
      },
    }),
    mutation({
      method: 'DELETE',
      path: isInPath ? `${path}/:${key}` : path,
      operationId: `remove${id}`,
      group,
      summary: `Remove one of the ${what}`,
      description: 'Removes one entry from the current list; equal entries are removed with it.',
      params: isInPath ? deletion.params : ServerParams,
      ...(isInPath ? {} : { query: deletion.query }),
      stateOf: serverState as never,
      responseDescription: 'The entry is removed; this applies from the next query on.',
      errors: isInPath ? [404] : [400, 404],
      run: async (store, input, deps) => {
        const { params, query } = input as unknown as Given;
        const server = await findServer(store, { caller: input.caller, params });
        if (!server.ok) return server;
        const before = server.value;
        const update = list.list.remove(before.settings, (isInPath ? params : query)[key] ?? '');
        if (!update) return err({ kind: 'not found', what: 'entry' });
        const settings = updateSettings(
          before.settings,
          update,
          await quotaFor(store, input.caller.account, deps, before),
        );
        if (!settings.ok) return settings;
        return replaceProfile(store, { before, after: { ...before, settings: settings.value }, action }, undefined);
      },
    }),
  ];
}

type Given = {
  readonly params: Readonly<Record<string, string>> & { readonly dns_server_id: string };
  readonly query: Readonly<Record<string, string>>;
};

const withId = (key: string, description: string) => ({
  params: Type.Object({ ...ServerParams.properties, [key]: Type.String({ description }) }),
});

const rules = {
  body: RuleEntry,
  entryOf: ({ rule }: { readonly rule: string }) => rule,
  key: 'rule',
  deletion: { query: RuleQuery },
  reply: RuleCount,
  note: (rule: string, { ruleStatus }: Deps) => {
    const problem = problemOf(rule, ruleStatus);
    return problem ? { ignored_reason: problem.reason } : {};
  },
};
const clients = {
  body: ClientEntry,
  entryOf: ({ client }: { readonly client: string }) => client,
  key: 'client',
  deletion: { query: ClientQuery },
};

/** Operations on single entries of lists in the settings of a DNS server. */
export const settingsEntryOperations: readonly Operation[] = [
  ...entryOperations({ name: 'user_rules', id: 'UserRule', what: 'user rules', list: entryLists.userRules, ...rules }),
  ...entryOperations({
    name: 'blocked_domain_rules',
    id: 'BlockedDomainRule',
    what: 'blocked domain rules',
    list: entryLists.blockedDomainRules,
    ...rules,
  }),
  ...entryOperations({
    name: 'blocked_clients',
    id: 'BlockedClient',
    what: 'blocked clients',
    list: entryLists.blockedClients,
    ...clients,
  }),
  ...entryOperations({
    name: 'allowed_clients',
    id: 'AllowedClient',
    what: 'allowed clients',
    list: entryLists.allowedClients,
    ...clients,
  }),
  ...entryOperations({
    name: 'filter_lists',
    id: 'FilterList',
    what: 'filter lists',
    list: entryLists.filterLists,
    body: FilterListEntry,
    entryOf: ({ filter_id: id, enabled }: { readonly filter_id: string; readonly enabled?: boolean }) => ({
      id,
      enabled,
    }),
    key: 'filter_id',
    deletion: withId('filter_id', 'Id of the filter list.'),
  }),
  ...entryOperations({
    name: 'blocked_services',
    id: 'BlockedService',
    what: 'blocked services',
    list: entryLists.blockedServices,
    body: BlockedServiceEntry,
    entryOf: ({ id, enabled }: { readonly id: string; readonly enabled?: boolean }) => ({ id, enabled }),
    key: 'id',
    deletion: withId('id', 'Id of the web service.'),
  }),
];

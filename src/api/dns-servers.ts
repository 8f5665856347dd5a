import Type from 'typebox';
import { MAX_EXPRESSION_STEPS } from '../domain/account-limits.ts';
import { changed } from '../domain/audit.ts';
import { type AccountId, type ProfileId, parseProfileId, shortId } from '../domain/ids.ts';
import { countAccessRules, countUserRules, type Profile } from '../domain/profile.ts';
import { createProfile, removeProfile, renameProfile } from '../domain/profile-rules.ts';
import { type SettingsQuota, updateSettings } from '../domain/profile-update.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import { rulesStillIn } from '../domain/temporary-rules.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { limitsFor } from '../operations/find-account.ts';
import { deleteProfile } from '../operations/remove-profile.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { listPage, pageParameters } from './lists.ts';
import { mutation, type Operation, query } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { rulesWithoutEffect } from './rules-without-effect.ts';
import { DNSServer, DNSServerCreate, DNSServerUpdate, DnsServersResponse, dnsServerToWire } from './wire/dns-server.ts';
import { DNSServerSettings, DNSServerSettingsUpdate } from './wire/dns-server-settings.ts';
import { settingsFromWire, settingsToWire } from './wire/settings-mapping.ts';

const group = 'DNS servers';

export const ServerParams = Type.Object({ dns_server_id: Type.String({ description: 'DNS server id.' }) });

type ServerAsked = { readonly caller: Caller; readonly params: { readonly dns_server_id: string } };

export async function findServer(
  store: { readonly profiles: Pick<StoreReader['profiles'], 'find'> },
  { caller, params }: ServerAsked,
): Promise<Result<Profile, ApiError>> {
  const id = parseProfileId(params.dns_server_id);
  const profile = id && (await store.profiles.find(caller.account, id));
  return profile ? ok(profile) : err({ kind: 'not found', what: 'DNS server' });
}

/** Name and settings, from which the ETag of the DNS server and of each part of its settings is computed. Its devices do not affect it. */
export async function serverState(
  store: { readonly profiles: Pick<StoreReader['profiles'], 'find'> },
  input: ServerAsked,
): Promise<unknown> {
  const profile = await findServer(store, input);
  return profile.ok ? [profile.value.name, profile.value.settings] : undefined;
}

export const deviceIds = async (store: StoreReader, account: AccountId, profile: ProfileId): Promise<string[]> =>
  (await store.devices.list(account, { profile })).map(({ id }) => id);

async function showAll(store: StoreReader, account: AccountId, profiles: readonly Profile[]) {
  const devices = Map.groupBy(await store.devices.list(account), ({ profile }) => profile);
  return profiles.map((profile) =>
    dnsServerToWire(
      profile,
      (devices.get(profile.id) ?? []).map(({ id }) => id),
    ),
  );
}

/** The quota that the settings of one DNS server can use, given the usage of the others. */
export async function quotaFor(
  store: Transaction,
  account: AccountId,
  deps: Deps,
  current?: Profile,
): Promise<SettingsQuota> {
  const limits = await limitsFor(store, account, deps);
  const used = await store.accounts.counts(account);
  const ownUserRules = current ? countUserRules(current.settings) : 0;
  const ownAccessRules = current ? countAccessRules(current.settings) : 0;
  return {
    userRules: { limit: limits.userRules, usedElsewhere: used.userRules - ownUserRules },
    accessRules: { limit: limits.accessRules, usedElsewhere: used.accessRules - ownAccessRules },
    rules: {
      errorOf: (rule) => {
        const status = deps.ruleStatus(rule);
        return status.kind === 'invalid' ? status.reason : undefined;
      },
      expressions: {
        limit: MAX_EXPRESSION_STEPS,
        usedElsewhere: await expressionStepsBeside(store, account, deps, current),
        stepsOf: deps.expressionSteps,
      },
    },
    filterLists: deps.catalogue.lists,
    services: deps.catalogue.services,
    categories: deps.catalogue.categories,
  };
}

/** Steps of the regular expressions of the account, excluding the user and access rules of one DNS server. */
export async function expressionStepsBeside(
  store: Transaction,
  account: AccountId,
  deps: Deps,
  current: Profile | undefined,
): Promise<number> {
  const all = await store.profiles.list(account);
  const others = all.filter(({ id }) => id !== current?.id);
  const steps = [
    ...all.map((profile) => temporarySteps(profile, deps)),
    ...others.map((profile) => storedSteps(profile, deps)),
  ];
  return steps.reduce((sum, count) => sum + count, 0);
}

/** Steps of the regular expressions of the account, excluding the temporary rules of one DNS server. */
export async function stepsBesideTemporary(
  store: Transaction,
  account: AccountId,
  deps: Deps,
  current: Profile,
): Promise<number> {
  const beside = await expressionStepsBeside(store, account, deps, current);
  return beside - temporarySteps(current, deps) + storedSteps(current, deps);
}

const sumOfSteps = (rules: readonly string[], { expressionSteps }: Deps): number =>
  rules.reduce((sum, rule) => sum + expressionSteps(rule), 0);

const storedSteps = ({ settings }: Profile, deps: Deps): number =>
  sumOfSteps([...settings.userRules.rules, ...settings.access.blockedDomainRules], deps);

const temporarySteps = ({ settings }: Profile, deps: Deps): number =>
  sumOfSteps(
    rulesStillIn(settings.own, deps.now()).map(({ rule }) => rule),
    deps,
  );

export const dnsServerOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/dns_servers',
    operationId: 'listDNSServers',
    isCacheable: true,
    group,
    summary: 'List DNS servers',
    description: 'All DNS servers of the account with their settings and all user rules.',
    reply: Type.Array(DNSServer),
    responseDescription: 'DNS servers including the default one, oldest first.',
    run: async (store, { caller: { account } }) =>
      ok(await showAll(store, account, await store.profiles.list(account))),
  }),
  mutation({
    method: 'POST',
    path: '/oapi/v1/dns_servers',
    operationId: 'createDNSServer',
    group,
    summary: 'Create a DNS server',
    description:
      'A DNS server is a set of filtering settings for devices. Settings that are not given have their defaults.',
    body: DNSServerCreate,
    reply: DNSServer,
    responseDescription: 'The created DNS server.',
    errors: [400, 429],
    run: async (store, { caller: { account }, body }, deps) => {
      const { dnsServers: limit } = await limitsFor(store, account, deps);
      const { dnsServers: used } = await store.accounts.counts(account);
      const quota = { used, limit, settings: await quotaFor(store, account, deps) };
      const wanted = { name: body.name, settings: body.settings && settingsFromWire(body.settings) };
      const id = parseProfileId(shortId(deps.random(4)))!;
      const profile = createProfile(quota, wanted, { id, account, now: deps.now() });
      if (!profile.ok) return profile;
      const added = await store.profiles.add(profile.value);
      if (!added.ok) return added;
      const audit = { action: 'dns_server.create', subject: id, ...changed(undefined, profile.value) };
      return ok({ reply: dnsServerToWire(profile.value, []), audit });
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/dns_servers/:dns_server_id',
    operationId: 'getDNSServer',
    isCacheable: true,
    group,
    summary: 'Get a DNS server',
    description: 'The DNS server with its settings and the ids of its devices.',
    params: ServerParams,
    stateOf: serverState,
    reply: DNSServer,
    responseDescription: 'The DNS server.',
    errors: [404],
    run: async (store, input) => {
      const profile = await findServer(store, input);
      if (!profile.ok) return profile;
      return ok(dnsServerToWire(profile.value, await deviceIds(store, input.caller.account, profile.value.id)));
    },
  }),
  mutation({
    method: 'PUT',
    path: '/oapi/v1/dns_servers/:dns_server_id',
    operationId: 'updateDNSServer',
    group,
    summary: 'Rename a DNS server',
    description: 'Only the name changes.',
    params: ServerParams,
    stateOf: serverState,
    body: DNSServerUpdate,
    responseDescription: 'DNS server renamed.',
    errors: [400, 404],
    run: async (store, input) => {
      const profile = await findServer(store, input);
      if (!profile.ok) return profile;
      const renamed = renameProfile(profile.value, input.body);
      return renamed.ok
        ? replaceProfile(store, { before: profile.value, after: renamed.value, action: 'dns_server.update' }, undefined)
        : renamed;
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/oapi/v1/dns_servers/:dns_server_id',
    operationId: 'removeDNSServer',
    group,
    summary: 'Delete a DNS server',
    description:
      'Its devices move to the default DNS server. It can be restored for a minute. The default DNS server cannot be deleted.',
    params: ServerParams,
    stateOf: serverState,
    responseDescription: 'DNS server deleted.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const profile = await findServer(store, input);
      if (!profile.ok) return profile;
      const removed = removeProfile(profile.value);
      if (!removed.ok) return removed;
      return ok({ reply: undefined, audit: await deleteProfile(store, deps, profile.value) });
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/dns_servers/:dns_server_id/settings',
    operationId: 'getDNSServerSettings',
    group,
    summary: 'Get DNS server settings',
    description: 'All filtering settings. The response can be changed and sent back.',
    params: ServerParams,
    stateOf: serverState,
    reply: DNSServerSettings,
    responseDescription: 'The settings.',
    errors: [404],
    run: async (store, input) => {
      const profile = await findServer(store, input);
      return profile.ok ? ok(settingsToWire(profile.value.settings)) : profile;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/oapi/v1/dns_servers/:dns_server_id/settings',
    operationId: 'updateDNSServerSettings',
    group,
    summary: 'Update DNS server settings',
    description: 'Fields that are not given stay unchanged. Arrays are replaced as a whole.',
    params: ServerParams,
    stateOf: serverState,
    body: DNSServerSettingsUpdate,
    replyHeaders: {
      'Rules-Without-Effect':
        'Number of stored rules that DNS filtering ignores; absent if there are none, or no rules were sent.',
    },
    responseDescription: 'Settings updated.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const profile = await findServer(store, input);
      if (!profile.ok) return profile;
      const quota = await quotaFor(store, input.caller.account, deps, profile.value);
      const settings = updateSettings(profile.value.settings, settingsFromWire(input.body), quota);
      if (!settings.ok) return settings;
      const after = { ...profile.value, settings: settings.value };
      const hasRules = input.body.user_rules_settings ?? input.body.access_settings;
      const ignored = hasRules ? rulesWithoutEffect(after.settings, deps.ruleStatus).length : 0;
      const reply = ignored > 0 ? { headers: { 'rules-without-effect': String(ignored) }, content: '' } : undefined;
      return replaceProfile(store, { before: profile.value, after, action: 'dns_server.settings' }, reply);
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v2/dns_servers',
    operationId: 'getDnsServers',
    group,
    summary: 'List DNS servers by page',
    description: 'Newest first. DNS servers that are created while the pages are read are not included.',
    query: Type.Object({
      ...pageParameters,
      dns_servers: Type.Optional(Type.Array(Type.String(), { description: 'Filter by DNS server.' })),
    }),
    reply: DnsServersResponse,
    responseDescription: 'A page of DNS servers.',
    errors: [400],
    run: async (store, { caller: { account }, query }, deps) => {
      const { dns_servers: ids = [] } = query;
      const keep = ids.length > 0 ? ({ id }: Profile): boolean => ids.includes(id) : undefined;
      const page = await listPage(query, deps.now(), (wanted) => store.profiles.page(account, wanted), keep);
      if (!page.ok) return page;
      const { items, navigation } = page.value;
      return ok({ items: await showAll(store, account, items), navigation });
    },
  }),
];

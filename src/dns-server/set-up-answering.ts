import { tagsOf } from '../domain/device-tags.ts';
import type { ProfileSettings, Switched } from '../domain/profile.ts';
import type { ProfileExtensions } from '../domain/profile-extensions.ts';
import { type ListTable, openTable } from '../engine/list-table.ts';
import { createDecider } from '../engine/match/decide.ts';
import { ruleText } from '../engine/rule-text.ts';
import type { Verdict } from '../engine/verdict.ts';
import { type LineReader, openLineReader } from '../filter-lists/line-reader.ts';
import { noteReleased, releasePages } from '../platform/idle-gc.ts';
import { NOTHING, newRingRecord, openRingWriter } from '../query-log/index.ts';
import { openCacheReader } from '../resolver/cache/read-cache.ts';
import type { Client } from '../resolver/identity/client.ts';
import { createActivityCounter } from '../resolver/identity/client-activity.ts';
import type { ClientFacts, KnownClientUpdate, ProfileTables } from '../resolver/identity/client-updates.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { compileDns64, type Dns64Prefix } from '../resolver/local-names/dns64.ts';
import { type NameFilter, openNameFilter } from '../resolver/local-names/name-filter.ts';
import { challengeZones } from '../resolver/pipeline/certificate-challenges.ts';
import { createTargetFilter } from '../resolver/pipeline/filter-targets.ts';
import { createQueryRecorder, type NumericRecord } from '../resolver/pipeline/query-recorder.ts';
import { createResponder, structuredReason } from '../resolver/pipeline/respond.ts';
import { openResponseCounter } from '../resolver/pipeline/response-counts.ts';
import { type Suffix, suffix } from '../resolver/pipeline/wire-suffix.ts';
import { compileAccess, type HasAccess } from '../resolver/policy/access.ts';
import { compileScanners, knownScanners } from '../resolver/policy/known-scanners.ts';
import { createPolicies } from '../resolver/policy/policy.ts';
import { type IsRebinding, rebindingGuard } from '../resolver/policy/rebinding.ts';
import { safeSearchRules, youtubeRules } from '../resolver/policy/safe-search.ts';
import { createServiceTables } from '../resolver/policy/service-tables.ts';
import { type RuleTable, ruleOfTable, tableFromRules } from '../resolver/policy/table-from-rules.ts';
import { clientLimit } from '../resolver/transport/client-limit.ts';
import { type UpstreamGroup, upstreamGroupOf } from '../resolver/upstream/upstream-group.ts';
import { threadAutomata } from '../rules/regex/regex-runner.ts';
import { geoipLookup } from './geoip-lookup.ts';
import { countSkipped, type SkippedRules } from './skipped-rules.ts';
import type { AnsweringSetup, LiveSettings, NumberedTable } from './thread-messages.ts';

const IDLE_SECONDS = 30;
const MAX_RULE = 2048;

/** Creates the dependencies of the pipeline, in the resolver thread and in UDP threads. */
export function setUpAnswering(setup: AnsweringSetup, reportSkipped: (skipped: readonly SkippedRules[]) => void) {
  const { secret, memory } = setup;
  const skips = countSkipped(reportSkipped, () => performance.now());
  const decider = createDecider(secret, undefined, (profile, rules) => skips.skipped(profile, rules), threadAutomata);
  const cache = openCacheReader(memory.cache);
  const seconds = new Int32Array(memory.clock);
  const lists = openLists(setup);
  const tablesOf = (entries: AnsweringSetup['services'], listId: string) =>
    createServiceTables(new Map(entries.map(([id, domains]) => [id, { domains }])), secret, listId);
  const services = tablesOf(setup.services, 'blocked_service');
  const categories = tablesOf(setup.categories, 'filtering_category');
  const ruleTables = new WeakMap<readonly string[], RuleTable>();
  const policies = createPolicies({
    secret,
    ruleTables,
    tableOf: lists.tableOf,
    serviceTable: services.table,
    categoryTable: categories.table,
    safety: lists.safety,
    onCompiled: ({ id }, policy) => skips.setOwner(id, policy),
    wallMs: Date.now,
  });
  const scanners = compileScanners(knownScanners, secret);
  const locate = geoipLookup(setup.geoDatabases);
  const systemOf = locate && ((client: Uint8Array): number | undefined => locate(client).asn);
  const accessChecks = new WeakMap<object, HasAccess>();
  const upstreamGroups = new WeakMap<ProfileExtensions, UpstreamGroup>();
  const suffixes = new WeakMap<object, readonly Suffix[]>();
  const encoder = new TextEncoder();
  const prefixes = new WeakMap<object, Dns64Prefix | undefined>();
  const dns64Of = (dns64: NonNullable<ProfileSettings['own']['dns64']>): Dns64Prefix | undefined => {
    if (!prefixes.has(dns64)) prefixes.set(dns64, compileDns64(dns64.prefix));
    return prefixes.get(dns64);
  };
  const hostNames: { filter: NameFilter | undefined } = { filter: undefined };

  /** Records a rule by its slot in a list file, other rules by their text. */
  const writeRule = (verdict: Verdict, into: NumericRecord, client: Client): void => {
    const { list } = verdict;
    into.list = (list && lists.numberOf(list)) ?? NOTHING;
    into.slot = into.list === NOTHING || verdict.by.complex ? NOTHING : verdict.by.slot;
    into.ruleLength = 0;
    if (!list || into.slot !== NOTHING) return;
    const rule = ruleText(verdict, (table, slot) => ruleOfTable(table, slot) ?? '') ?? '';
    const text = idInsteadOfRule(verdict, client, rule) ?? rule;
    into.ruleLength = encoder.encodeInto(text, into.rule.subarray(0, MAX_RULE)).written;
  };
  /** The id of the blocked service or category that a rule belongs to. */
  const idInsteadOfRule = ({ source }: Verdict, { identity }: Client, rule: string): string | undefined => {
    const { blockedServices, blockedCategories } = identity.profile.settings.parental;
    if (source === 'blocked services') return services.serviceOf(enabledIds(blockedServices), rule);
    if (source === 'filtering categories') return categories.serviceOf(enabledIds(blockedCategories), rule);
    return undefined;
  };

  const ring = openRingWriter(setup.ring);
  const recorder = createQueryRecorder({ ring, record: newRingRecord(), writeRule });
  let live = livePartsOf(setup, setup);
  const isRebinding: IsRebinding = (bytes, question, targets, at, length) =>
    live.isRebinding(bytes, question, targets, at, length);

  return {
    secret,
    decider,
    cache,
    recorder,
    recordBacklog: ring.backlog,
    /** Returns the memory that records have taken while the log was behind. */
    releaseRing(): void {
      const unused = ring.takeUnused();
      if (unused) releasePages(unused);
    },
    counts: openResponseCounter(setup.responseCounts),
    activity: createActivityCounter(),
    locate,
    isRebinding,
    targetFilter: createTargetFilter({ decider, recorder, isRebinding, locate }),
    respond: createResponder({
      cookieSecret: setup.cookieSecret,
      idleSeconds: IDLE_SECONDS,
      structuredReason: structuredReason(setup.productName),
      sendsClientSubnet: setup.sendsClientSubnet,
    }),
    limit: { take: (client: Uint8Array, nowMs: number) => live.limit.take(client, nowMs) },
    /** Clients without limits on queries, handshakes and wrong ids. */
    isUnlimited: (client: Uint8Array): boolean => live.isUnlimited(client),
    /** The next query uses these settings. */
    useSettings(settings: LiveSettings): void {
      live = livePartsOf(settings, setup);
    },
    cookieSecrets: [setup.cookieSecret],
    clock: { wallMs: Date.now, seconds: () => seconds[0]! },
    sendsClientSubnet: setup.sendsClientSubnet,
    lineOf: lists.lineOf,
    hostNames,
    challengeZones: challengeZones(setup.challengeZones),
    /** Names of the operator's hosts file; undefined without any. */
    useHostNames(memory: SharedArrayBuffer | undefined): void {
      hostNames.filter = memory && openNameFilter(memory);
    },
    /** To be called about once a second. */
    evictRules: (): void => {
      skips.report();
      threadAutomata.evict(seconds[0]!);
    },
    /** Returns the memory of automata after the rules of these accounts were changed or removed. */
    releaseRules(accounts: readonly string[]): void {
      for (const account of accounts) threadAutomata.releaseAccount(account);
    },
    useTables(tables: readonly NumberedTable[]): void {
      lists.use(tables);
      policies.listsChanged();
    },
    /** To be called before the first query that uses these settings. */
    useRuleTables: ({ userRules, access }: ProfileSettings, tables: ProfileTables): void => {
      // The same array of rules has the same table.
      if (tables.userRules && !ruleTables.has(userRules.rules)) {
        ruleTables.set(userRules.rules, tables.userRules);
        policies.rulesChanged(userRules.rules);
      }
      if (tables.accessRules && !ruleTables.has(access.blockedDomainRules)) {
        ruleTables.set(access.blockedDomainRules, tables.accessRules);
        accessChecks.delete(access);
      }
    },
    ruleTablesOf: ({ userRules, access }: ProfileSettings): ProfileTables => ({
      userRules: ruleTables.get(userRules.rules),
      accessRules: ruleTables.get(access.blockedDomainRules),
    }),
    toClient: ({ clientId, accountSlot, identity, localNames }: ClientFacts): Client => {
      const { access, own } = identity.profile.settings;
      const account = identity.account.id;
      const hasAccess =
        accessChecks.get(access) ?? compileAccess(access, { secret, scanners, ruleTables, account, systemOf });
      accessChecks.set(access, hasAccess);
      const { upstreams, upstreamStrategy: strategy } = own;
      const upstreamGroup = upstreamGroups.get(own) ?? upstreamGroupOf({ upstreams, strategy }, secret);
      upstreamGroups.set(own, upstreamGroup);
      const privateDomains =
        suffixes.get(own.rebindingAllowed) ?? own.rebindingAllowed.flatMap((domain) => suffix(domain) ?? []);
      suffixes.set(own.rebindingAllowed, privateDomains);
      return {
        kind: 'known',
        clientId,
        accountSlot,
        identity,
        policy: () => policies.of(identity),
        hasAccess,
        isProtected: identity.kind === 'guest' || identity.device.protectionEnabled,
        pausedUntil: identity.kind === 'guest' ? 0 : (identity.device.pausedUntil ?? 0),
        isRecorded: identity.account.logEnabled,
        ruleClient: ruleClientFor(identity),
        upstreamGroup,
        activity: undefined,
        localNames: localNames && openNameFilter(localNames),
        privateDomains,
        dns64: own.dns64 && dns64Of(own.dns64),
      };
    },
  };
}

function livePartsOf(
  { queriesPerTenSeconds, unlimitedClients, privateAnswers, privateDomains, forwardedDomains }: LiveSettings,
  { secret, memory }: Pick<AnsweringSetup, 'secret' | 'memory'>,
) {
  const isUnlimited = networkSet(unlimitedClients);
  const isRebinding: IsRebinding =
    privateAnswers === 'allow' ? () => false : rebindingGuard([...privateDomains, ...forwardedDomains]);
  const limit = clientLimit({
    memory: memory.limit,
    secret,
    queries: Math.max(queriesPerTenSeconds.network, queriesPerTenSeconds.address),
    addressQueries: queriesPerTenSeconds.address,
    seconds: 10,
    isExempt: isUnlimited,
  });
  return { isUnlimited, isRebinding, limit };
}

function ruleClientFor(identity: KnownClientUpdate['identity']): Client['ruleClient'] {
  if (identity.kind === 'guest') return { name: undefined, tags: undefined };
  const { name, type, tags } = identity.device;
  return { name, tags: tagsOf(type, tags) };
}

export type Answering = ReturnType<typeof setUpAnswering>;

const enabledIds = (entries: readonly Switched[]): readonly string[] =>
  entries.filter(({ enabled }) => enabled).map(({ id }) => id);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The tables of lists, opened in this thread, and the built-in tables. */
function openLists({ secret }: AnsweringSetup) {
  const byId = new Map<string, ListTable>();
  const numbers = new WeakMap<ListTable, number>();
  const openTables = new Map<string, { readonly version: string; readonly table: ListTable }>();
  const lines = new WeakMap<ListTable, LineReader>();
  const none: readonly ListTable[] = [];
  let safety = { dangerous: none, adult: none, newlyRegistered: none, typosquatting: none, homoglyph: none };
  // Built for the first profile that uses them: they take longer than the rest of the thread start.
  const safeSearch = once(() => tableFromRules('general_safe_search', safeSearchRules().split('\n'), secret));
  const youtube = once(() => tableFromRules('youtube_safe_search', youtubeRules().split('\n'), secret));

  const released = (table: ListTable): void => {
    noteReleased(table.buffer.byteLength);
    threadAutomata.release(table.automata);
  };
  const opened = ({ id, version, buffer, number, account, lines: files }: NumberedTable): ListTable => {
    const before = openTables.get(id);
    if (before?.version === version) return before.table;
    if (before) released(before.table);
    const table = openTable(id, buffer, account);
    openTables.set(id, { version, table });
    numbers.set(table, number);
    // Opens its files when a line is read.
    lines.set(table, openLineReader(files));
    return table;
  };

  return {
    use(tables: readonly NumberedTable[]): void {
      const ofKind = (kind: NumberedTable['safety']): ListTable[] =>
        tables.filter(({ safety }) => safety === kind).map(opened);
      byId.clear();
      for (const table of tables) if (table.safety === undefined) byId.set(table.id, opened(table));
      safety = {
        dangerous: ofKind('dangerous domains'),
        adult: ofKind('adult'),
        newlyRegistered: ofKind('newly registered'),
        typosquatting: ofKind('typosquatting'),
        homoglyph: ofKind('homoglyph'),
      };
      const still = new Set(tables.map(({ id }) => id));
      for (const [id, { table }] of openTables) {
        if (still.has(id)) continue;
        released(table);
        openTables.delete(id);
      }
    },
    tableOf: (id: string): ListTable | undefined => byId.get(id),
    safety: () => ({
      ...safety,
      get safeSearch() {
        return safeSearch();
      },
      get youtube() {
        return youtube();
      },
    }),
    numberOf: (table: ListTable): number | undefined => numbers.get(table),
    lineOf: (table: ListTable, slot: number): string | undefined => lines.get(table)?.line(slot),
  };
}

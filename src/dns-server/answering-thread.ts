import type { ProfileSettings } from '../domain/profile.ts';
import { type ListTable, openTable } from '../engine/list-table.ts';
import { createDecider } from '../engine/match/decide.ts';
import { ruleText } from '../engine/rule-text.ts';
import type { Verdict } from '../engine/verdict.ts';
import { type LineReader, openLineReader } from '../filter-lists/line-reader.ts';
import { noteLetGo } from '../platform/idle-gc.ts';
import { NOTHING, newRingRecord, openRingWriter, type RingRecord } from '../query-log/ingest/record-ring.ts';
import { openCacheReader } from '../resolver/cache/read-cache.ts';
import type { Standing } from '../resolver/identity/client.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { createItemFilter } from '../resolver/pipeline/filter-targets.ts';
import { createNotes } from '../resolver/pipeline/query-recorder.ts';
import { createReplies } from '../resolver/pipeline/reply.ts';
import { structuredReason } from '../resolver/pipeline/write-blocked.ts';
import { compileAccess, type MayAsk } from '../resolver/policy/access.ts';
import { compileScanners, knownScanners } from '../resolver/policy/known-scanners.ts';
import { createPolicies } from '../resolver/policy/policy.ts';
import { rebindingGuard } from '../resolver/policy/rebinding.ts';
import { tidyNamed } from '../resolver/policy/rule-attribution.ts';
import { safeSearchRules, youtubeRules } from '../resolver/policy/safe-search.ts';
import { createServiceTables } from '../resolver/policy/service-tables.ts';
import { type RuleTable, ruleOfTable, tableFromRules } from '../resolver/policy/table-from-rules.ts';
import { clientLimit } from '../resolver/transport/client-limit.ts';
import { type Via, viaOf } from '../resolver/upstream/upstream-group.ts';
import { placeLookup } from './geoip-lookup.ts';
import { countSkipped, type SkippedRules } from './skipped-rules.ts';
import type { AnsweringSetup, KnownLesson, NumberedTable, ProfileTables } from './thread-messages.ts';

const IDLE_SECONDS = 30;
const MAX_RULE = 2048;

/** Everything that a thread needs to answer, whether it is the one that waits for upstreams or one that never waits. */
export function setUpAnswering(setup: AnsweringSetup, tellSkipped: (skipped: readonly SkippedRules[]) => void) {
  const { secret, memory } = setup;
  const skips = countSkipped(tellSkipped, () => performance.now());
  const decider = createDecider(secret, undefined, (profile, rules) => skips.skipped(profile, rules));
  const cache = openCacheReader(memory.cache);
  const seconds = new Int32Array(memory.clock);
  const ring = openRingWriter(setup.ring);
  const record = newRingRecord();
  const lists = openLists(setup);
  const services = createServiceTables(new Map(setup.services.map(([id, domains]) => [id, { domains }])), secret);
  const ruleTables = new WeakMap<readonly string[], RuleTable>();
  const policies = createPolicies({
    secret,
    ruleTables,
    tableOf: lists.tableOf,
    serviceTable: services.table,
    safety: lists.safety,
    onMade: ({ id }, policy) => skips.own(id, policy),
    wallMs: Date.now,
  });
  const scanners = compileScanners(knownScanners, secret);
  const placeOf = placeLookup(setup.geoDatabases);
  const systemOf = placeOf && ((client: Uint8Array): number | undefined => placeOf(client).asn);
  const accesses = new WeakMap<object, MayAsk>();
  const ways = new WeakMap<object, Via>();
  const encoder = new TextEncoder();

  /** What a rule is known by in records: where it stands in a list that is a file, or itself. */
  const ruleOf = (verdict: Verdict, into: RingRecord, standing: Standing): void => {
    const { list } = verdict;
    into.list = (list && lists.numberOf(list)) ?? NOTHING;
    into.slot = into.list === NOTHING || verdict.by.complex ? NOTHING : verdict.by.slot;
    into.ruleLength = 0;
    if (!list || into.slot !== NOTHING) return;
    const rule = ruleText(verdict, (table, slot) => ruleOfTable(table, slot) ?? '') ?? '';
    const text = verdict.source === 'blocked services' ? (serviceOf(standing, rule) ?? rule) : rule;
    into.ruleLength = encoder.encodeInto(text, into.rule.subarray(0, MAX_RULE)).written;
  };
  const serviceOf = ({ known }: Standing, rule: string): string | undefined =>
    services.serviceOf(
      known.profile.settings.parental.blockedServices.filter(({ enabled }) => enabled).map(({ id }) => id),
      rule,
    );

  const notes = createNotes(ring, record, ruleOf);
  const leadsInside = setup.privateAnswers === 'allow' ? () => false : rebindingGuard(setup.privateDomains);

  return {
    secret,
    decider,
    cache,
    notes,
    placeOf,
    items: createItemFilter({ decider, notes, leadsInside, placeOf }),
    replies: createReplies({ cookieSecret: setup.cookieSecret, idleSeconds: IDLE_SECONDS }),
    limit: clientLimit({
      memory: memory.limit,
      secret,
      queries: setup.queriesPerTenSeconds,
      seconds: 10,
      isExempt: networkSet(setup.unlimitedClients),
    }),
    cookieSecrets: [setup.cookieSecret],
    structuredReason: structuredReason(setup.productName),
    clock: { wallMs: Date.now, seconds: () => seconds[0]! },
    tellsSubnet: setup.tellsSubnet,
    lineOf: lists.lineOf,
    /** To be called every second or so. */
    tidyRules: (): void => {
      skips.report();
      decider.automata.tidy(seconds[0]!);
      tidyNamed(secret, seconds[0]!);
    },
    useTables(tables: readonly NumberedTable[]): void {
      lists.use(tables);
      policies.listsChanged();
    },
    /** To be called before anything is asked of these settings. */
    useRuleTables: ({ userRules, access }: ProfileSettings, tables: ProfileTables): void => {
      // Rules that are the same array as before have the same table as before.
      if (tables.userRules && !ruleTables.has(userRules.rules)) {
        ruleTables.set(userRules.rules, tables.userRules);
        policies.rulesChanged(userRules.rules);
      }
      if (tables.accessRules && !ruleTables.has(access.blockedDomainRules)) {
        ruleTables.set(access.blockedDomainRules, tables.accessRules);
        accesses.delete(access);
      }
    },
    ruleTablesOf: ({ userRules, access }: ProfileSettings): ProfileTables => ({
      userRules: ruleTables.get(userRules.rules),
      accessRules: ruleTables.get(access.blockedDomainRules),
    }),
    standing: ({ who, owner, known }: Pick<KnownLesson, 'who' | 'owner' | 'known'>): Standing => {
      const { profile, account } = known;
      const { access, own } = profile.settings;
      const mayAsk = accesses.get(access) ?? compileAccess(access, { secret, scanners, ruleTables, systemOf });
      accesses.set(access, mayAsk);
      const { upstreams } = own;
      const via = ways.get(upstreams) ?? viaOf(upstreams, secret);
      ways.set(upstreams, via);
      return {
        kind: 'known',
        who,
        owner,
        known,
        policy: () => policies.of(known),
        mayAsk,
        isProtected: known.kind === 'guest' || known.device.protectionEnabled,
        isRecorded: account.logEnabled,
        client: known.kind === 'device' ? { name: known.device.name } : {},
        via,
      };
    },
  };
}

export type Answering = ReturnType<typeof setUpAnswering>;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The tables of lists, opened in this thread, and those that stand in the program itself. */
function openLists({ secret }: AnsweringSetup) {
  const byId = new Map<string, ListTable>();
  const numbers = new WeakMap<ListTable, number>();
  const known = new Map<string, { readonly version: string; readonly table: ListTable }>();
  const lines = new WeakMap<ListTable, LineReader>();
  let safety = { dangerous: [] as ListTable[], adult: [] as ListTable[], newlyRegistered: [] as ListTable[] };
  // Built for the first profile that uses them: they take longer than the rest of the start of a thread.
  const safeSearch = once(() => tableFromRules('general_safe_search', safeSearchRules().split('\n'), secret));
  const youtube = once(() => tableFromRules('youtube_safe_search', youtubeRules().split('\n'), secret));

  const opened = ({ id, version, buffer, number, lines: files }: NumberedTable): ListTable => {
    const before = known.get(id);
    if (before?.version === version) return before.table;
    if (before) noteLetGo(before.table.buffer.byteLength);
    const table = openTable(id, buffer);
    known.set(id, { version, table });
    numbers.set(table, number);
    // Opens its files when somebody asks for a line, and not before.
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
      };
      const still = new Set(tables.map(({ id }) => id));
      for (const [id, { table }] of known) {
        if (still.has(id)) continue;
        noteLetGo(table.buffer.byteLength);
        known.delete(id);
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

import { queryFor } from '../../../src/dns/message.ts';
import { readMessage } from '../../../src/dns/read-message.ts';
import { writeMessage } from '../../../src/dns/write-message.ts';
import { defaultSettings } from '../../../src/domain/default-settings.ts';
import { deviceTags } from '../../../src/domain/device-tags.ts';
import type { ForwardRule } from '../../../src/domain/forward-rules.ts';
import type { LocalRecord } from '../../../src/domain/local-records.ts';
import type { ProfileSettings } from '../../../src/domain/profile.ts';
import { createDecider } from '../../../src/engine/match/decide.ts';
import { createNameKeys, hashKey, readNameKeys } from '../../../src/engine/name-keys.ts';
import { wireName } from '../../../src/kit/wire-name.ts';
import {
  createRingMemory,
  newRingRecord,
  openRingReader,
  openRingWriter,
} from '../../../src/query-log/ingest/record-ring.ts';
import { createCacheMemory } from '../../../src/resolver/cache/cache-layout.ts';
import { openCacheReader } from '../../../src/resolver/cache/read-cache.ts';
import { openCacheWriter } from '../../../src/resolver/cache/write-cache.ts';
import { CLIENT_NEEDS_LOOKUP, type Client, type ClientResult } from '../../../src/resolver/identity/client.ts';
import { createActivityCounter } from '../../../src/resolver/identity/client-activity.ts';
import type { KnownProfile } from '../../../src/resolver/identity/directory.ts';
import { compileDns64 } from '../../../src/resolver/local-names/dns64.ts';
import { createHostNames } from '../../../src/resolver/local-names/host-names.ts';
import { createLocalNameRegistry } from '../../../src/resolver/local-names/local-name-registry.ts';
import { openNameFilter } from '../../../src/resolver/local-names/name-filter.ts';
import type { RecordSource } from '../../../src/resolver/local-names/record-table.ts';
import {
  type ChallengeRecord,
  challengeZones,
  createChallengeAnswers,
} from '../../../src/resolver/pipeline/certificate-challenges.ts';
import { createTargetFilter } from '../../../src/resolver/pipeline/filter-targets.ts';
import { createLocalLookup } from '../../../src/resolver/pipeline/local-lookup.ts';
import { createLookups } from '../../../src/resolver/pipeline/lookups.ts';
import { createPipeline } from '../../../src/resolver/pipeline/pipeline.ts';
import { createQueryRecorder } from '../../../src/resolver/pipeline/query-recorder.ts';
import { createResolve } from '../../../src/resolver/pipeline/resolve.ts';
import { createResponder, structuredReason } from '../../../src/resolver/pipeline/respond.ts';
import { createResponseCountsMemory, openResponseCounter } from '../../../src/resolver/pipeline/response-counts.ts';
import { createFollowAliases, createRewrite } from '../../../src/resolver/pipeline/rewrite.ts';
import { suffix } from '../../../src/resolver/pipeline/wire-suffix.ts';
import { compileAccess } from '../../../src/resolver/policy/access.ts';
import { compileScanners } from '../../../src/resolver/policy/known-scanners.ts';
import { createPolicies } from '../../../src/resolver/policy/policy.ts';
import { rebindingGuard } from '../../../src/resolver/policy/rebinding.ts';
import { tableFromRules } from '../../../src/resolver/policy/table-from-rules.ts';
import { clientLimit, clientLimitMemory } from '../../../src/resolver/transport/client-limit.ts';
import type { DnsRequest } from '../../../src/resolver/transport/listener.ts';
import { type Answered, failed, type UpstreamAnswer } from '../../../src/resolver/upstream/upstream-answer.ts';
import { DEFAULT_GROUP, type UpstreamGroup } from '../../../src/resolver/upstream/upstream-group.ts';
import type { UpstreamQuestion } from '../../../src/resolver/upstream/upstream-query.ts';

const secret = new Uint8Array(8).fill(7);
const MAX_MESSAGE = 65_535;

type Given = {
  readonly settings?: Partial<ProfileSettings>;
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Instead of a known client. */
  readonly client?: Exclude<ClientResult, Client>;
  /** The first query registers the device: it needs a lookup at the `identify` step. */
  readonly registersDevice?: boolean;
  readonly queries?: number;
  readonly records?: readonly LocalRecord[];
  readonly forwardRules?: readonly ForwardRule[];
  /** Of the operator's hosts file. */
  readonly hosts?: readonly RecordSource[];
  readonly challengeZones?: readonly string[];
  readonly challengeRecords?: readonly ChallengeRecord[];
  /** Of the client. */
  readonly address?: readonly number[];
};

type Wish = {
  readonly type?: number;
  readonly class?: number;
  readonly transport?: DnsRequest['transport'];
  readonly client?: Uint8Array;
  readonly edns?: Parameters<typeof queryFor>[2];
  readonly change?: (query: Uint8Array) => void;
};

/** The pipeline of the resolver thread, with a function as the upstream. */
export function startAnswering(given: Given = {}) {
  const clock = { ms: Date.UTC(2026, 10, 15, 12), seconds: 1000 };
  const upstream = {
    asked: [] as UpstreamQuestion[],
    groups: [] as UpstreamGroup[],
    answer: (_question: UpstreamQuestion, _group: UpstreamGroup): UpstreamAnswer | Promise<UpstreamAnswer> =>
      failed('timeout', 'no upstream'),
  };
  const memory = createCacheMemory(1024 * 1024);
  const reader = openCacheReader(memory);
  const decider = createDecider(secret);
  const ring = createRingMemory(65_536);
  const records = openRingReader(ring);
  const recorder = createQueryRecorder({
    ring: openRingWriter(ring),
    record: newRingRecord(),
    writeRule: (verdict, into) => {
      into.ruleLength = verdict.list ? new TextEncoder().encodeInto(verdict.list.id, into.rule).written : 0;
    },
  });
  const tables = new Map(
    Object.entries(given.lists ?? {}).map(([id, rules]) => [id, tableFromRules(id, rules, secret)]),
  );
  const policies = createPolicies({
    secret,
    tableOf: (id) => tables.get(id),
    serviceTable: () => undefined,
    categoryTable: () => undefined,
    safety: () => ({
      dangerous: [],
      adult: [],
      newlyRegistered: [],
      typosquatting: [],
      homoglyph: [],
      safeSearch: undefined,
      youtube: undefined,
    }),
    wallMs: () => 0,
  });
  const settings: ProfileSettings = {
    ...defaultSettings(),
    filterLists: { enabled: true, lists: [...tables.keys()].map((id) => ({ id, enabled: true })) },
    ...given.settings,
  };
  const known = {
    kind: 'guest',
    profile: { id: 'abcd1234', settings },
    account: { id: 'account', timeZone: 'UTC' },
  } as unknown as KnownProfile;
  const scanners = compileScanners({ networks: [], rules: [] }, secret);
  const localNames = createLocalNameRegistry(secret);
  localNames.replace({
    id: known.account.id,
    localRecords: given.records ?? [],
    forwardRules: given.forwardRules ?? [],
  });
  const names = localNames.of(known);
  const hostNames = createHostNames();
  const hostMemory = hostNames.use(given.hosts ?? []);
  const client: Client = {
    kind: 'known',
    clientId: 5,
    accountSlot: 1,
    identity: known,
    policy: () => policies.of(known),
    hasAccess: compileAccess(settings.access, { secret, scanners }),
    isProtected: true,
    pausedUntil: 0,
    isRecorded: true,
    ruleClient: { name: 'phone', tags: deviceTags.ANDROID },
    upstreamGroup: DEFAULT_GROUP,
    activity: undefined,
    localNames: names?.filter,
    privateDomains: settings.own.rebindingAllowed.map((domain) => suffix(domain)!),
    dns64: settings.own.dns64 && compileDns64(settings.own.dns64.prefix),
  };
  const keys = createNameKeys();
  const key = hashKey(secret);
  const resolve = createResolve({
    reader,
    writer: openCacheWriter(memory),
    upstreams: {
      resolve: async (question, group) => {
        upstream.asked.push(question);
        upstream.groups.push(group);
        return upstream.answer(question, group);
      },
    },
    fingerprint(name) {
      readNameKeys(key, name, 0, keys);
      return { high: keys.high[keys.count]!, low: keys.low[keys.count]! };
    },
    seconds: () => clock.seconds,
  });
  const faults: unknown[] = [];
  const namesFor = hostNames.addTo(localNames.of);
  const followAliases = createFollowAliases(decider, namesFor);
  const activity = createActivityCounter();
  const zones = challengeZones(given.challengeZones ?? []);
  const challengeAnswers = createChallengeAnswers(zones, 'ns.example');
  challengeAnswers.use(given.challengeRecords ?? []);
  const lookups = createLookups({
    registerDevice: async () => given.client ?? client,
    resolve: resolve.resolve,
    rewrite: createRewrite(followAliases),
    localNames: createLocalLookup({ namesFor, followAliases }),
    debug: () => undefined,
    prove: async () => undefined,
    challengeAnswer: challengeAnswers.answer,
    designated: () => [],
    subnetOf: () => undefined,
  });
  const { answerSync, answerAsync } = createPipeline(
    {
      identify: () => (given.registersDevice ? CLIENT_NEEDS_LOOKUP : (given.client ?? client)),
      decider,
      cache: reader,
      recorder,
      targetFilter: createTargetFilter({ decider, recorder, isRebinding: rebindingGuard(['home.example']) }),
      respond: createResponder({
        cookieSecret: new Uint8Array(16),
        idleSeconds: 30,
        structuredReason: structuredReason('Weir'),
        sendsClientSubnet: false,
      }),
      activity,
      counts: openResponseCounter(createResponseCountsMemory()),
      limit: clientLimit({
        memory: clientLimitMemory(64),
        secret,
        queries: given.queries ?? 1_000_000,
        seconds: 10,
        isExempt: () => false,
      }),
      cookieSecrets: [new Uint8Array(16)],
      clock: { wallMs: () => clock.ms, seconds: () => clock.seconds },
      sendsClientSubnet: false,
      hostNames: { filter: hostMemory && openNameFilter(hostMemory) },
      challengeZones: zones,
    },
    lookups,
    (_, error) => void faults.push(error),
  );

  const requestFor = (name: string, wish: Wish): DnsRequest => {
    const query = writeMessage(
      queryFor({ name: wireName(name)!, type: wish.type ?? 1, class: wish.class ?? 1 }, 0x1234, wish.edns),
    );
    wish.change?.(query);
    // Not at offset 0: no step may rely on that.
    const bytes = new Uint8Array(query.length + 30);
    bytes.set(query, 17);
    return {
      bytes,
      at: 17,
      length: query.length,
      transport: wish.transport ?? 'udp',
      client: wish.client ?? Uint8Array.from(given.address ?? [192, 0, 2, 1]),
      clientPort: 4000,
      local: Uint8Array.of(192, 0, 2, 53),
    };
  };

  /** As a transport does it: synchronously, or else with a lookup. */
  const bytesFor = async (
    name: string,
    wish: Wish = {},
  ): Promise<{ bytes: Uint8Array | undefined; isSync: boolean }> => {
    const request = requestFor(name, wish);
    const into = new Uint8Array(MAX_MESSAGE + 7);
    const length = answerSync(request, into, 7, MAX_MESSAGE);
    if (length >= 0) return { bytes: length === 0 ? undefined : into.slice(7, 7 + length), isSync: true };
    return new Promise((done) => answerAsync(request, (bytes) => done({ bytes, isSync: false })));
  };

  return {
    clock,
    upstream,
    faults,
    activity: () => activity.take(),
    bytesFor,
    ask: async (name: string, wish: Wish = {}) => {
      const { bytes, isSync } = await bytesFor(name, wish);
      const message = bytes && readMessage(bytes);
      if (message && !message.ok) throw new Error(message.error);
      return { message: message?.value, isSync };
    },
    records: () => {
      const all = [];
      for (let record = newRingRecord(); records.take(record); record = newRingRecord())
        all.push({
          status: record.status,
          clientId: record.clientId,
          rcode: record.rcode,
          isDnssec: record.isDnssec,
          rule: text(record.rule, record.ruleLength),
          address: record.address.subarray(0, record.addressLength).join('.'),
        });
      return all;
    },
  };
}

const text = (bytes: Uint8Array, length: number): string => new TextDecoder().decode(bytes.subarray(0, length));

type Given2 = Pick<Answered['message'], 'answer'> &
  Partial<Pick<Answered['message'], 'authority' | 'rcode' | 'authenticData'>> &
  Pick<Answered, 'extendedError'>;

/** An answer as upstreams give it after it was checked. */
export function upstreamAnswer(
  question: UpstreamQuestion,
  { answer, authority = [], rcode = 0, authenticData = false, extendedError }: Given2,
): Answered {
  const message = {
    ...queryFor(question, 0),
    response: true,
    recursionAvailable: true,
    rcode,
    answer,
    authority,
    authenticData,
  };
  return {
    kind: 'answer',
    bytes: writeMessage(message),
    message,
    upstream: 'test',
    elapsedMs: 1,
    ...(extendedError && { extendedError }),
  };
}

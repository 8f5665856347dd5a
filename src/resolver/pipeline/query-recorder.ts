import { filteringSources, filteringStatuses, queryProtocols } from '../../domain/query-record.ts';
import type { SourceName } from '../../engine/sources.ts';
import type { Verdict } from '../../engine/verdict.ts';
import type { Client } from '../identity/client.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { elapsedMs, type QueryContext } from './query-context.ts';

export type Status = (typeof filteringStatuses)[number];

/** A query record as numbers: the `RingRecord` of the query log. Reused for all records of a thread. */
export type NumericRecord = {
  /** Epoch milliseconds. */
  time: number;
  /** Milliseconds from receipt to answer. */
  latencyMs: number;
  /** Client id, assigned by the client registry. */
  clientId: number;
  type: number;
  rcode: number;
  /** Indexes into the tables of domain/query-record. */
  protocol: number;
  status: number;
  source: number;
  isDnssec: boolean;
  /** Number of the list, and the slot or the text of its rule. */
  list: number;
  slot: number;
  rule: Uint8Array;
  ruleLength: number;
  client: Uint8Array;
  clientLength: number;
  /** First address of the answer. */
  address: Uint8Array;
  addressLength: number;
  /** In wire form. */
  name: Uint8Array;
  nameAt: number;
  nameLength: number;
};

export type RecordedRule = Pick<NumericRecord, 'source' | 'list' | 'slot' | 'rule'>;

export type RecorderDeps = {
  readonly ring: { readonly put: (record: NumericRecord) => unknown };
  /** A new record; source, list and slot have their values for "none". */
  readonly record: NumericRecord;
  /** Writes list, slot or text of the rule that decided. */
  readonly writeRule: (verdict: Verdict, into: NumericRecord, client: Client) => void;
};

const sourceNames: Readonly<Record<SourceName, (typeof filteringSources)[number]>> = {
  'user rules': 'USER_FILTER',
  'custom lists': 'FILTERS',
  'filter lists': 'FILTERS',
  'blocked services': 'PARENTAL_BLOCKED_SERVICE',
  'dangerous domains': 'SAFEBROWSING',
  adult: 'PARENTAL_ADULT',
  'filtering categories': 'PARENTAL_FILTERING_CATEGORY',
  'safe search': 'PARENTAL_SAFE_SEARCH',
  youtube: 'PARENTAL_YOUTUBE',
  'newly registered': 'NEWLY_REGISTERED_DOMAINS',
  typosquatting: 'TYPOSQUATTING',
  homoglyph: 'HOMOGLYPH',
};

const sourceNumbers = Object.fromEntries(
  Object.entries(sourceNames).map(([source, name]) => [source, filteringSources.indexOf(name)]),
) as Readonly<Record<SourceName, number>>;

// A Map: property access here would be megamorphic.
const statusNumbers: ReadonlyMap<Status, number> = new Map(filteringStatuses.map((status, number) => [status, number]));

const protocolNumbers: Readonly<Record<DnsRequest['transport'], number>> = {
  udp: queryProtocols.indexOf('DNS'),
  tcp: queryProtocols.indexOf('DNS'),
  dot: queryProtocols.indexOf('DOT'),
  doh: queryProtocols.indexOf('DOH'),
};

const AUTHENTIC = 0x20;
const FLAGS_LOW = 3;

/** Records answered queries. The steps set rule and address, `record` sets all other fields. */
export function createQueryRecorder({ ring, record, writeRule }: RecorderDeps) {
  const { source: NO_SOURCE, list: NO_LIST, slot: NO_SLOT } = record;
  return {
    /** Clears rule and address of the previous query. */
    clear(): void {
      record.source = NO_SOURCE;
      record.list = NO_LIST;
      record.slot = NO_SLOT;
      record.ruleLength = 0;
      record.addressLength = 0;
    },
    /** Call this before the next decision overwrites the verdict. */
    setRule(verdict: Verdict, client: Client): void {
      record.source = verdict.source === undefined ? NO_SOURCE : sourceNumbers[verdict.source];
      writeRule(verdict, record, client);
    },
    /** Sets a reason instead of a rule, after `setRule`. */
    setReason(text: Uint8Array): void {
      record.rule.set(text);
      record.ruleLength = text.length;
    },
    setAddress(bytes: Uint8Array, at: number, length: number): void {
      record.addressLength = length;
      for (let i = 0; i < length; i++) record.address[i] = bytes[at + i]!;
    },
    clearAddress(): void {
      record.addressLength = 0;
    },
    /** Copies the rule before a lookup. */
    saveRule: (): RecordedRule => ({
      source: record.source,
      list: record.list,
      slot: record.slot,
      rule: record.rule.slice(0, record.ruleLength),
    }),
    restoreRule({ source, list, slot, rule }: RecordedRule): void {
      record.source = source;
      record.list = list;
      record.slot = slot;
      record.rule.set(rule);
      record.ruleLength = rule.length;
    },
    record(context: QueryContext): void {
      const { client, request, question, status, output, outputAt, response, message } = context;
      const flags = output[outputAt + FLAGS_LOW]!;
      record.time = context.nowMs;
      record.latencyMs = elapsedMs(context);
      record.clientId = client!.clientId;
      record.type = question.type;
      record.rcode = flags & 0xf;
      record.protocol = protocolNumbers[request.transport];
      record.status = statusNumbers.get(status)!;
      // AD bit of the upstream answer; the response has AD only for clients that request it.
      record.isDnssec = response === 'message' && (message.bytes[message.at + FLAGS_LOW]! & AUTHENTIC) !== 0;
      record.clientLength = request.client.length;
      for (let i = 0; i < request.client.length; i++) record.client[i] = request.client[i]!;
      record.name = request.bytes;
      record.nameAt = question.nameAt;
      record.nameLength = question.nameEnd - question.nameAt;
      ring.put(record);
    },
  };
}

export type QueryRecorder = ReturnType<typeof createQueryRecorder>;

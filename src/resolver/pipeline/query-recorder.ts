import type { Question } from '../../dns/question.ts';
import { filteringSources, filteringStatuses, queryProtocols } from '../../domain/query-record.ts';
import type { SourceName } from '../../engine/sources.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { NO_SOURCE, NOTHING, type RingRecord, type RingWriter } from '../../query-log/ingest/record-ring.ts';
import type { Standing } from '../identity/client.ts';
import type { Asked } from '../transport/listener.ts';

export type Status = (typeof filteringStatuses)[number];

const sourceNames: Readonly<Record<SourceName, (typeof filteringSources)[number]>> = {
  'user rules': 'USER_FILTER',
  'custom lists': 'FILTERS',
  'filter lists': 'FILTERS',
  'blocked services': 'PARENTAL_BLOCKED_SERVICE',
  'dangerous domains': 'SAFEBROWSING',
  adult: 'PARENTAL_ADULT',
  'safe search': 'PARENTAL_SAFE_SEARCH',
  youtube: 'PARENTAL_YOUTUBE',
  'newly registered': 'NEWLY_REGISTERED_DOMAINS',
};

const sourceNumbers = Object.fromEntries(
  Object.entries(sourceNames).map(([source, name]) => [source, filteringSources.indexOf(name)]),
) as Readonly<Record<SourceName, number>>;

// A Map, because what is asked for by many names in one place is searched for in an object.
const statusNumbers: ReadonlyMap<Status, number> = new Map(filteringStatuses.map((status, number) => [status, number]));

const protocolNumbers: Readonly<Record<Asked['transport'], number>> = {
  udp: queryProtocols.indexOf('DNS'),
  tcp: queryProtocols.indexOf('DNS'),
  dot: queryProtocols.indexOf('DOT'),
  doh: queryProtocols.indexOf('DOH'),
};

const AUTHENTIC = 0x20;

/** What a rule is known by in records: a number of its list, and either its place there or its text. */
export type RuleOf = (verdict: Verdict, into: RingRecord, standing: Standing) => void;

export type NotedRule = Pick<RingRecord, 'source' | 'list' | 'slot' | 'rule'>;

/** Notes what was answered; what the answer was about is noted by `rule` and `address` before. */
export function createNotes(ring: RingWriter, record: RingRecord, ruleOf: RuleOf) {
  return {
    /** To be called while the verdict holds. */
    rule(verdict: Verdict, standing: Standing): void {
      record.source = verdict.source === undefined ? NO_SOURCE : sourceNumbers[verdict.source];
      ruleOf(verdict, record, standing);
    },
    noRule(): void {
      record.source = NO_SOURCE;
      record.list = NOTHING;
      record.slot = NOTHING;
      record.ruleLength = 0;
    },
    /** What was noted of the rule, for an answer that comes later. */
    keepRule: (): NotedRule => ({
      source: record.source,
      list: record.list,
      slot: record.slot,
      rule: record.rule.slice(0, record.ruleLength),
    }),
    setRule({ source, list, slot, rule }: NotedRule): void {
      record.source = source;
      record.list = list;
      record.slot = slot;
      record.rule.set(rule);
      record.ruleLength = rule.length;
    },
    address(bytes: Uint8Array, at: number, length: number): void {
      record.addressLength = length;
      for (let i = 0; i < length; i++) record.address[i] = bytes[at + i]!;
    },
    /** `flags` is the second byte of flags of the answer: its code, and whether it is called authentic. */
    answered(standing: Standing, asked: Asked, question: Question, status: Status, flags: number, nowMs: number): void {
      record.time = nowMs;
      record.who = standing.who;
      record.type = question.type;
      record.rcode = flags & 0xf;
      record.protocol = protocolNumbers[asked.transport];
      record.status = statusNumbers.get(status)!;
      record.isDnssec = (flags & AUTHENTIC) !== 0;
      record.clientLength = asked.client.length;
      for (let i = 0; i < asked.client.length; i++) record.client[i] = asked.client[i]!;
      record.name = asked.bytes;
      record.nameAt = question.nameAt;
      record.nameLength = question.nameEnd - question.nameAt;
      ring.put(record);
    },
  };
}

export type Notes = ReturnType<typeof createNotes>;

import type { Naming } from '../../dns-server/thread-messages.ts';
import type { Companies } from '../../domain/catalogue/company.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { RuleTexts } from '../../filter-lists/rule-texts.ts';
import type { EncodedBatch } from '../query-log.ts';
import type { AddressFacts } from './client-parts.ts';
import { createEnricher } from './enrich.ts';
import { createInterner, UNKNOWN } from './interner.ts';
import { type Compared, writeClientPart, writeQueryPart } from './record-fields.ts';
import { field, newRingRecord, type RingReader } from './record-ring.ts';
import { addRow, createRowBatch, encodeBatch, hasRoomFor, isFullBatch, type RowBatch } from './row-batch.ts';

type Who = Extract<Naming, { kind: 'who' }> & { readonly pending: RowBatch; readonly compared: Compared };

export type IngestDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: RuleTexts;
  readonly addresses: AddressFacts;
  readonly encoded: (records: EncodedBatch) => void;
  /** Called for each new row of a subscribed account. */
  readonly tail: (account: string, record: () => QueryRecord) => void;
};

/** Records per round. */
const AT_ONCE = 64;

/** Whether a record was accepted, or why not. */
export type Taken = 'taken' | 'unknown' | NotKept;
type NotKept = 'cleared' | 'switched off';

const kept = { until: Number.NEGATIVE_INFINITY, why: 'cleared' } as const;

const [MAX_QUERY_PARTS, MAX_QUERY_PART_WORDS] = [131_072, 2 ** 21];
const [MAX_CLIENT_PARTS, MAX_CLIENT_PART_WORDS] = [65_536, 2 ** 19];

/** Turns records of the rings into rows of accounts. A row is only a time and two ids. */
export function createIngest({ encoded, tail, ...deps }: IngestDeps) {
  const whos: (Who | undefined)[] = [];
  const pending = new Map<string, RowBatch>();
  const tailed = new Set<string>();
  // Records up to `until` are dropped, for this reason.
  const notKept = new Map<string, { readonly until: number; readonly why: NotKept }>();
  const queryParts = createInterner({ maxCount: MAX_QUERY_PARTS, maxWords: MAX_QUERY_PART_WORDS, atOnce: AT_ONCE });
  const clientPart = createInterner({ maxCount: MAX_CLIENT_PARTS, maxWords: MAX_CLIENT_PART_WORDS, atOnce: 1 });
  const enricher = createEnricher({ ...deps, maxQueryParts: MAX_QUERY_PARTS, maxClientParts: MAX_CLIENT_PARTS });
  const record = newRingRecord();
  const { hasGeoIp } = deps.addresses;
  let rows = 0;

  const pack = (each: RowBatch): void => {
    if (each.rows === 0) return;
    if (isFullBatch(each)) each.isBusy = true;
    rows -= each.rows;
    encoded(encodeBatch(each, (...rowsOf) => enricher.content(...rowsOf)));
    each.rows = 0;
  };
  const flushAll = (): void => {
    for (const each of pending.values()) pack(each);
  };
  /** A busy account soon fills a whole segment: its rows wait for one more interval. */
  const flushDue = (): void => {
    for (const each of pending.values())
      if (each.isBusy) each.isBusy = false;
      else pack(each);
  };
  /** Ids are reassigned, so rows with old ids are encoded first. */
  const resetInterners = (): void => {
    flushAll();
    queryParts.clear();
    clientPart.clear();
    enricher.clear();
  };
  // Of the records of a round: their offsets and query parts.
  const places = new Int32Array(AT_ONCE);
  const queryPart = { ends: new Int32Array(AT_ONCE + 1), hashes: new Int32Array(AT_ONCE) };
  const readQueryParts = ({ words }: RingReader, count: number): void => {
    for (let each = 0; each < count; each++) {
      const start = queryPart.ends[each]!;
      const who = whos[words[places[each]! + field.who]! >>> 0];
      const end = who ? writeQueryPart(words, places[each]!, who.compared, queryParts.input, start) : start;
      queryPart.ends[each + 1] = end;
      queryPart.hashes[each] = queryParts.hashOf(start, end - start);
    }
    queryParts.prefetch(queryPart.hashes, count);
  };
  const findQueryPart = (each: number): number => {
    const start = queryPart.ends[each]!;
    return queryParts.find(start, queryPart.ends[each + 1]! - start, queryPart.hashes[each]!);
  };
  const findClientPart = ({ words }: RingReader, at: number, { compared }: Who): number => {
    const length = writeClientPart(words, at, compared, clientPart.input);
    return clientPart.find(0, length, clientPart.hashOf(0, length));
  };
  /** Adds the parts of a record that are new. There must be room for them. */
  const enrichParts = (reader: RingReader, each: number, who: Who): void => {
    reader.read(places[each]!, record);
    if (findQueryPart(each) === UNKNOWN) enricher.addQueryPart(queryParts.add(), record);
    if (findClientPart(reader, places[each]!, who) === UNKNOWN) enricher.addClientPart(clientPart.add(), record, who);
  };
  const take = (reader: RingReader, each: number): Taken => {
    const at = places[each]!;
    const who = whos[reader.words[at + field.who]! >>> 0];
    if (!who) return 'unknown';
    const time = reader.timeAt(at);
    const own = who.pending;
    if (notKept.size > 0) {
      const { until, why } = notKept.get(own.account) ?? kept;
      if (time <= until) return why;
    }
    let ownQueryPart = findQueryPart(each);
    let ownClientPart = findClientPart(reader, at, who);
    if (ownQueryPart === UNKNOWN || ownClientPart === UNKNOWN) {
      if (queryParts.isFull() || clientPart.isFull() || enricher.isFull()) resetInterners();
      enrichParts(reader, each, who);
      ownQueryPart = findQueryPart(each);
      ownClientPart = findClientPart(reader, at, who);
    }
    if (!hasRoomFor(own, time)) pack(own);
    addRow(own, time, ownQueryPart, ownClientPart);
    rows += 1;
    if (tailed.size > 0 && tailed.has(own.account))
      tail(own.account, () => enricher.record(own.account, time, ownQueryPart, ownClientPart));
    return 'taken';
  };

  const batchOf = (account: string): RowBatch => {
    const known = pending.get(account) ?? createRowBatch(account);
    pending.set(account, known);
    return known;
  };

  return {
    name(naming: Extract<Naming, { kind: 'who' }>): void {
      const compared = { client: naming.ipLog || hasGeoIp, address: hasGeoIp };
      whos[naming.who] = { ...naming, compared, pending: batchOf(naming.account) };
    },
    /** Reads all records of a ring. Reports the number accepted or dropped before they are released. */
    takeAll(reader: RingReader, report: (taken: Taken, count: number) => void): void {
      for (let count = reader.nextOnes(places); count > 0; count = reader.nextOnes(places)) {
        if (enricher.isFull()) resetInterners();
        readQueryParts(reader, count);
        let taken = 0;
        for (let each = 0; each < count; each++) {
          const outcome = take(reader, each);
          if (outcome === 'taken') taken += 1;
          else report(outcome, 1);
        }
        report('taken', taken);
        reader.passTo(places[count - 1]!);
      }
    },
    flushAll,
    flushDue,
    cleared: (account: string, until: number): void => {
      if (notKept.get(account)?.why !== 'switched off') notKept.set(account, { until, why: 'cleared' });
    },
    /** Returns the number of buffered rows that were dropped. */
    logging({ account, isKept, time }: Extract<Naming, { kind: 'logging' }>): number {
      notKept.set(account, { until: isKept ? time - 1 : Number.POSITIVE_INFINITY, why: 'switched off' });
      const own = pending.get(account);
      if (isKept || !own) return 0;
      const gone = own.rows;
      rows -= gone;
      own.rows = 0;
      return gone;
    },
    removeClearedBefore: (before: number): void => {
      for (const [account, { until }] of notKept) if (until < before) notKept.delete(account);
    },
    setTailed: (account: string, isWatched: boolean): void => {
      if (isWatched) tailed.add(account);
      else tailed.delete(account);
    },
    rows: (): number => rows,
  };
}

import type { Companies } from '../../domain/catalogue/company.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { EncodedBatch } from '../log-engine.ts';
import { createInterner, UNKNOWN } from '../segments/interner.ts';
import { latencyCode } from '../segments/latency.ts';
import { MAX_ACCOUNT_ROWS, sharingGroups } from '../segments/shared-rows.ts';
import type { AddressFacts } from './address-facts.ts';
import { createEnricher } from './enrich.ts';
import type { IngestMessage, RuleSource } from './ingest-message.ts';
import { type Compared, writeClientPart, writeQueryPart } from './record-fields.ts';
import { field, newRingRecord, type RingReader } from './record-ring.ts';
import {
  addRow,
  type ContentOf,
  createRowBatch,
  encodeBatch,
  encodeShared,
  hasRoomFor,
  isFullBatch,
  type RowBatch,
} from './row-batch.ts';

type ClientMessage = Extract<IngestMessage, { kind: 'client' }>;
type Client = ClientMessage & { readonly pending: RowBatch; readonly compared: Compared };

export type IngestDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: Pick<RuleSource, 'rule' | 'listId'>;
  readonly addresses: AddressFacts;
  readonly encoded: (records: EncodedBatch) => void;
  /** Whether the log takes rows of several accounts together. */
  readonly isSharing: boolean;
  /** Called for each new row of a subscribed account. */
  readonly tail: (account: string, record: () => QueryRecord) => void;
};

/** Records that are released at once. */
const AT_ONCE = 64;

/** Whether a record was accepted, or why not. */
export type Outcome = 'taken' | 'unknown' | DroppedFor;
type DroppedFor = 'cleared' | 'switched off';

const accepted = { until: Number.NEGATIVE_INFINITY, why: 'cleared' } as const;

/** Longest part of a record, in 32-bit words. */
const MAX_PART_WORDS = 1024;
const [MAX_QUERY_PARTS, MAX_QUERY_PART_WORDS] = [131_072, 2 ** 21];
const [MAX_CLIENT_PARTS, MAX_CLIENT_PART_WORDS] = [65_536, 2 ** 19];

/**
 * Turns records of the rings into rows of accounts. A record splits into a query part (name, rule, address of the answer) and a
 * client part (client, transport, result), see record-fields.ts. Equal parts have one id and are enriched once, so a row is only a
 * time, two ids and a latency.
 */
export function createIngest({ encoded, tail, isSharing, ...deps }: IngestDeps) {
  const clients: (Client | undefined)[] = [];
  const pending = new Map<string, RowBatch>();
  // Batches that may have rows: at any time, only a few of many accounts have some.
  const filled = new Set<RowBatch>();
  const tailed = new Set<string>();
  // Records up to `until` are dropped, for this reason.
  const dropped = new Map<string, { readonly until: number; readonly why: DroppedFor }>();
  const queryParts = createInterner({
    maxLength: MAX_PART_WORDS,
    maxCount: MAX_QUERY_PARTS,
    maxWords: MAX_QUERY_PART_WORDS,
  });
  const clientParts = createInterner({
    maxLength: MAX_PART_WORDS,
    maxCount: MAX_CLIENT_PARTS,
    maxWords: MAX_CLIENT_PART_WORDS,
  });
  const enricher = createEnricher({
    ...deps,
    clientOf: (clientId) => clients[clientId]!,
    maxQueryParts: MAX_QUERY_PARTS,
    maxClientParts: MAX_CLIENT_PARTS,
  });
  const record = newRingRecord();
  const { hasGeoIp } = deps.addresses;
  const offsets = new Int32Array(AT_ONCE);
  let rows = 0;

  const contentOf: ContentOf = (...rowsOf) => enricher.content(...rowsOf);
  const encode = (batch: RowBatch): void => {
    if (batch.rows === 0) return;
    if (isFullBatch(batch)) batch.isBusy = true;
    rows -= batch.rows;
    encoded(encodeBatch(batch, contentOf));
    batch.rows = 0;
  };
  const encodeThose = (due: readonly RowBatch[]): void => {
    // Chosen first: a batch has no rows after it was encoded.
    const small = isSharing ? due.filter((batch) => batch.rows < MAX_ACCOUNT_ROWS) : [];
    const alone = isSharing ? due.filter((batch) => batch.rows >= MAX_ACCOUNT_ROWS) : due;
    for (const batch of alone) encode(batch);
    for (const group of sharingGroups(small)) {
      encoded(encodeShared(group, contentOf));
      for (const batch of group) {
        rows -= batch.rows;
        batch.rows = 0;
      }
    }
  };
  const hasRows = (batch: RowBatch): boolean => batch.rows > 0;
  const encodeAll = (): void => encodeThose(Array.from(filled).filter(hasRows));
  /** A busy account soon fills a whole segment: its rows wait for one more interval. */
  const encodeDue = (): void => {
    const due: RowBatch[] = [];
    for (const batch of filled)
      if (batch.isBusy) batch.isBusy = false;
      else {
        filled.delete(batch);
        if (hasRows(batch)) due.push(batch);
      }
    encodeThose(due);
  };
  /** Ids are reassigned, so rows with old ids are encoded first. */
  const resetInterners = (): void => {
    encodeAll();
    queryParts.clear();
    clientParts.clear();
    enricher.clear();
  };
  const findQueryPart = ({ words }: RingReader, at: number, { compared }: Client): number =>
    queryParts.find(writeQueryPart(words, at, compared, queryParts.input));
  const findClientPart = ({ words }: RingReader, at: number, { compared }: Client): number =>
    clientParts.find(writeClientPart(words, at, compared, clientParts.input));
  const addQueryPart = (): number => {
    const queryPart = queryParts.add();
    enricher.addQueryPart(queryPart, record);
    return queryPart;
  };
  const addClientPart = (client: Client): number => {
    const clientPart = clientParts.add();
    enricher.addClientPart(clientPart, record, client);
    return clientPart;
  };
  const take = (reader: RingReader, at: number): Outcome => {
    const client = clients[reader.words[at + field.clientId]! >>> 0];
    if (!client) return 'unknown';
    const time = reader.timeAt(at);
    const batch = client.pending;
    if (dropped.size > 0) {
      const { until, why } = dropped.get(batch.account) ?? accepted;
      if (time <= until) return why;
    }
    let queryPart = findQueryPart(reader, at, client);
    let clientPart = findClientPart(reader, at, client);
    if (queryPart === UNKNOWN || clientPart === UNKNOWN) {
      if (queryParts.isFull() || clientParts.isFull() || enricher.isFull()) {
        resetInterners();
        queryPart = findQueryPart(reader, at, client);
        clientPart = findClientPart(reader, at, client);
      }
      reader.read(at, record);
      if (queryPart === UNKNOWN) queryPart = addQueryPart();
      if (clientPart === UNKNOWN) clientPart = addClientPart(client);
    }
    if (!hasRoomFor(batch, time)) encode(batch);
    if (batch.rows === 0) filled.add(batch);
    const latency = latencyCode(reader.words[at + field.latency]!);
    addRow(batch, time, queryPart, clientPart, latency);
    rows += 1;
    if (tailed.size > 0 && tailed.has(batch.account))
      tail(batch.account, () => enricher.record({ account: batch.account, time, latency }, queryPart, clientPart));
    return 'taken';
  };

  const batchOf = (account: string): RowBatch => {
    const batch = pending.get(account) ?? createRowBatch(account);
    pending.set(account, batch);
    return batch;
  };

  return {
    setClient(message: ClientMessage): void {
      const compared = { client: message.ipLog || hasGeoIp, address: hasGeoIp };
      clients[message.clientId] = { ...message, compared, pending: batchOf(message.account) };
    },
    /** Reads all records of a ring. Reports the number accepted or dropped before they are released. */
    takeAll(reader: RingReader, report: (taken: Outcome, count: number) => void): void {
      for (let count = reader.nextOnes(offsets); count > 0; count = reader.nextOnes(offsets)) {
        // Pairs of known parts also fill the tables.
        if (enricher.isFull()) resetInterners();
        let taken = 0;
        for (let index = 0; index < count; index++) {
          const outcome = take(reader, offsets[index]!);
          if (outcome === 'taken') taken += 1;
          else report(outcome, 1);
        }
        report('taken', taken);
        reader.passTo(offsets[count - 1]!);
      }
    },
    encodeAll,
    encodeDue,
    cleared: (account: string, until: number): void => {
      if (dropped.get(account)?.why !== 'switched off') dropped.set(account, { until, why: 'cleared' });
    },
    /** Returns the number of buffered rows that were dropped. */
    setLogging({ account, isLogged, time }: Extract<IngestMessage, { kind: 'logging' }>): number {
      dropped.set(account, { until: isLogged ? time - 1 : Number.POSITIVE_INFINITY, why: 'switched off' });
      const batch = pending.get(account);
      if (isLogged || !batch) return 0;
      const gone = batch.rows;
      rows -= gone;
      batch.rows = 0;
      return gone;
    },
    removeClearedBefore: (before: number): void => {
      for (const [account, { until }] of dropped) if (until < before) dropped.delete(account);
    },
    setTailed: (account: string, isWatched: boolean): void => {
      if (isWatched) tailed.add(account);
      else tailed.delete(account);
    },
    isTailing: (): boolean => tailed.size > 0,
    rows: (): number => rows,
  };
}

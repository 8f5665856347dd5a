import type { QueryRecord } from '../domain/query-record.ts';
import type { NewSegment } from './backends/log-backend.ts';
import type { LogStore } from './log-store.ts';
import type { NumberedRows } from './rollups/pending-counts.ts';
import { encodeRecords } from './segments/encode-records.ts';
import { encodeRawRows, MAX_BATCH_ROWS, readRawRows } from './segments/raw-rows.ts';
import type { RowTable } from './segments/row.ts';
import { dayOf } from './segments/row-table.ts';
import { tableOf } from './segments/segment.ts';
import {
  type AccountRows,
  accountTables,
  bucketOf,
  MAX_ACCOUNT_ROWS,
  type SharedRows,
  shareRows,
  sharingGroups,
} from './segments/shared-rows.ts';

/** Rows to be stored, already encoded by the thread that produced them. */
export type EncodedBatch = AccountBatch | SharedRows;
export type AccountBatch = Omit<NewSegment, 'batch'> & {
  /** Pair ids of encoded rows, for counting. */
  readonly numbered?: NumberedRows;
};
export const isShared = (batch: EncodedBatch): batch is SharedRows => 'accounts' in batch;
export const isOfAccount = (batch: EncodedBatch): batch is AccountBatch => !isShared(batch);

/** The log engine: its calls can be sent to another thread, so they take no functions and encoded records. */
export type LogEngine = Omit<LogStore, 'append' | 'appendOnce' | 'applyRetention'> & {
  readonly appendBatches: (records: readonly EncodedBatch[]) => Promise<void>;
  readonly appendBatchesOnce: (id: string, records: readonly EncodedBatch[]) => Promise<void>;
  readonly applyRetentionFrom: (cutoffs: ReadonlyMap<string, number>) => Promise<void>;
};

export const toLogStore = ({
  appendBatches,
  appendBatchesOnce,
  applyRetentionFrom,
  ...others
}: LogEngine): LogStore => ({
  ...others,
  append: (records) => appendBatches(encodeBatches(records)),
  appendOnce: (id, records) => appendBatchesOnce(id, encodeBatches(records)),
  applyRetention: async (cutoffs) =>
    applyRetentionFrom(new Map((await others.accounts()).map((account) => [account, cutoffs(account)] as const))),
});

const accountOf = ({ account }: QueryRecord): string => account;
const timeOfRecord = ({ time }: QueryRecord): number => time;
const dayOfRecord = ({ time }: QueryRecord): number => dayOf(time);

/** One batch per account and day. */
export function encodeBatches(records: readonly QueryRecord[]): AccountBatch[] {
  const ofAccounts = [...Map.groupBy(records, accountOf).values()];
  const groups = ofAccounts.flatMap((group) => [...Map.groupBy(group, dayOfRecord).values()]);
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_BATCH_ROWS) }, (_, part) => {
      const rows = group.slice(part * MAX_BATCH_ROWS, (part + 1) * MAX_BATCH_ROWS);
      const times = rows.map(timeOfRecord);
      return {
        account: rows[0]!.account,
        first: Math.min(...times),
        last: Math.max(...times),
        rows: rows.length,
        content: { kind: 'raw', raw: encodeRecords(rows) } as const,
      };
    }),
  );
}

/** The rows of a batch. */
export const tableIn = ({ content, first }: AccountBatch): RowTable =>
  content.kind === 'raw' ? readRawRows(content.raw, 0) : tableOf(content.parts, { dayStart: dayOf(first), batch: 0 });

/** The rows of a batch, and the ranges of each account. */
export const rowsIn = (batch: EncodedBatch): { readonly table: RowTable; readonly accounts: readonly AccountRows[] } =>
  isShared(batch)
    ? { table: readRawRows(batch.raw, 0), accounts: batch.accounts }
    : { table: tableIn(batch), accounts: [{ account: batch.account, start: 0, rows: batch.rows }] };

/** Batches of one account each, for logs that do not store shared ones. */
export const accountBatches = (batches: readonly EncodedBatch[]): readonly AccountBatch[] =>
  batches.flatMap((batch) => (isShared(batch) ? accountTables(batch).map(rawBatch) : [batch]));

function rawBatch({ account, table }: { readonly account: string; readonly table: RowTable }): AccountBatch {
  const [first, last] = [Math.min(...table.times), Math.max(...table.times)];
  const offsets = Int32Array.from(table.times, (time) => time - first);
  const raw = encodeRawRows({ ...table, start: first, offsets });
  return { account, first, last, rows: table.length, content: { kind: 'raw', raw } };
}

/** Combines small batches of accounts. */
export function shareBatches(batches: readonly EncodedBatch[]): readonly EncodedBatch[] {
  const isSmall = (batch: EncodedBatch): batch is AccountBatch =>
    isOfAccount(batch) && batch.content.kind === 'raw' && batch.rows < MAX_ACCOUNT_ROWS;
  const small = batches.filter(isSmall).map((batch) => ({
    ...batch,
    bucket: bucketOf(batch.account),
    day: dayOf(batch.first),
  }));
  const groups = sharingGroups(small);
  return [
    ...batches.filter((batch) => !isSmall(batch)),
    ...groups.map((group) => shareRows(group.map((batch) => ({ account: batch.account, table: tableIn(batch) })))),
  ];
}

import type { QueryRecord } from '../domain/query-record.ts';
import type { NewSegment } from './backends/log-backend.ts';
import type { LogStore } from './log-store.ts';
import type { NumberedRows } from './rollups/pending-counts.ts';
import { encodeRecords } from './segments/encode-records.ts';
import { MAX_BATCH_ROWS, readRawRows } from './segments/raw-rows.ts';
import type { RowTable } from './segments/row.ts';
import { dayOf } from './segments/row-table.ts';
import { tableOf } from './segments/segment.ts';

/** Rows to be stored, already encoded by the thread that produced them. */
export type EncodedBatch = Omit<NewSegment, 'batch'> & {
  /** Pair ids of encoded rows, for counting. */
  readonly numbered?: NumberedRows;
};

/** The log engine: its calls can be sent to another thread, so they take no functions and encoded records. */
export type LogEngine = Omit<LogStore, 'append' | 'applyRetention'> & {
  readonly appendBatches: (records: readonly EncodedBatch[]) => Promise<void>;
  readonly applyRetentionFrom: (cutoffs: ReadonlyMap<string, number>) => Promise<void>;
};

export const toLogStore = ({ appendBatches, applyRetentionFrom, ...others }: LogEngine): LogStore => ({
  ...others,
  append: (records) => appendBatches(encodeBatches(records)),
  applyRetention: async (cutoffs) =>
    applyRetentionFrom(new Map((await others.accounts()).map((account) => [account, cutoffs(account)] as const))),
});

const accountOf = ({ account }: QueryRecord): string => account;
const timeOfRecord = ({ time }: QueryRecord): number => time;
const dayOfRecord = ({ time }: QueryRecord): number => dayOf(time);

/** One batch per account and day. */
export function encodeBatches(records: readonly QueryRecord[]): EncodedBatch[] {
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
export const tableIn = ({ content, first }: EncodedBatch): RowTable =>
  content.kind === 'raw' ? readRawRows(content.raw, 0) : tableOf(content.parts, { dayStart: dayOf(first), batch: 0 });

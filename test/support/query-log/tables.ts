import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { QueryRecord } from '../../../src/domain/query-record.ts';
import type { LogBackend, ReadTransaction, SegmentMeta } from '../../../src/query-log/backends/log-backend.ts';
import { openSqliteBackend } from '../../../src/query-log/backends/sqlite-backend.ts';
import { encodeBatches } from '../../../src/query-log/log-engine.ts';
import { createPendingCounts } from '../../../src/query-log/rollups/pending-counts.ts';
import { createRollupCache } from '../../../src/query-log/rollups/rollup-cache.ts';
import { encodeRecords } from '../../../src/query-log/segments/encode-records.ts';
import { flush } from '../../../src/query-log/segments/flush.ts';
import { readRawRows } from '../../../src/query-log/segments/raw-rows.ts';
import { type RowTable, recordOf, valuesOf } from '../../../src/query-log/segments/row.ts';
import { aRecord, NOW, temporaryFolder } from './logs.ts';

/** Records with increasing times and these differences from `aRecord`. */
export const someRecords = (count: number, different: (row: number) => Partial<QueryRecord> = () => ({})) =>
  Array.from({ length: count }, (_, row) => aRecord({ time: NOW - (count - row) * 1000, ...different(row) }));

export const tableFrom = (records: readonly QueryRecord[], batch = 7): RowTable =>
  readRawRows(encodeRecords(records), batch);

/** The records of a table, in the order of its rows. */
export const recordsIn = (table: RowTable, account = 'home'): QueryRecord[] =>
  Array.from(table.times, (time, row) => recordOf(account, time, valuesOf(table, row)));

/** A log in files without the engine: each call of `append` stores a segment per account and day. */
export async function openBackend(t: Pick<TestContext, 'after'>) {
  const folder = await temporaryFolder(t);
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => void problems.push(problem);
  const backend = openSqliteBackend(folder, { now: () => NOW, onProblem });
  t.after(() => backend.close());
  const context = { cache: createRollupCache(), pending: createPendingCounts(), onProblem };
  return {
    backend,
    folder,
    problems,
    context,
    append: (records: readonly QueryRecord[]): Promise<void> =>
      backend.change([], async (change) => {
        const batches = encodeBatches(records);
        const first = await change.batches(batches.length);
        await change.appendSegments(batches.map((batch, index) => ({ ...batch, batch: first + index })));
      }),
    flush: (account = 'home'): Promise<void> => backend.change([account], (change) => flush(change, account, context)),
    /** Calls a function that reads with the view, the cache and the problems of this log. */
    reading: <T>(work: (reading: Omit<typeof context, 'pending'> & { view: ReadTransaction }) => Promise<T>) =>
      backend.read((view) => work({ view, ...context })),
    segments: (account = 'home'): Promise<SegmentMeta[]> => backend.read((view) => segmentsIn(view, account)),
  };
}

export type OpenBackend = Awaited<ReturnType<typeof openBackend>> & { readonly backend: LogBackend };

/** Metadata of all segments of an account, newest first. */
export async function segmentsIn(view: ReadTransaction, account: string): Promise<SegmentMeta[]> {
  const metas: SegmentMeta[] = [];
  for await (const { meta } of view.segments(account, { from: 0, to: NOW + 7 * 86_400_000 })) metas.push(meta);
  return metas;
}

/** Changes stored bytes of a log, as a damaged disk would. */
export function damage(folder: string, sql: string): void {
  for (const name of readdirSync(folder).filter((file) => /^log-.*\.db$/.test(file))) {
    const database = new DatabaseSync(join(folder, name));
    database.exec(sql);
    database.close();
  }
}

import type { RolledUpSegment } from '../backends/log-backend.ts';
import { skipCorrupt } from './checksum-error.ts';
import { segmentsOf } from './compact.ts';
import { readRawRows } from './raw-rows.ts';
import { chosenRows, dayOf, joined } from './row-table.ts';
import type { SharedRows } from './shared-rows.ts';

/** A shared batch as it is stored. */
export type StoredShared = Pick<SharedRows, 'accounts' | 'raw'> & { readonly batch: number };

/** Rows of an account in joined tables, and its newest batch. */
type Found = { readonly rows: number[]; batch: number };

/** The rows of shared batches as segments of their accounts, which are not rolled up. Rows keep their sequences. */
export async function unshare(
  batches: readonly StoredShared[],
  onProblem: (problem: unknown) => void,
): Promise<readonly (RolledUpSegment & { readonly account: string })[]> {
  const opened = [];
  for (const batch of batches) {
    const table = await skipCorrupt(onProblem, () => readRawRows(batch.raw, batch.batch));
    if (table) opened.push({ ...batch, table });
  }
  return [...Map.groupBy(opened, ({ table }) => dayOf(table.times[0]!)).values()].flatMap((ofDay) => {
    const all = joined(ofDay.map(({ table }) => table));
    const byAccount = new Map<string, Found>();
    let end = 0;
    for (const { accounts, batch, table } of ofDay) {
      for (const { account, start, rows } of accounts) {
        const found = byAccount.get(account) ?? { rows: [], batch };
        byAccount.set(account, found);
        for (let row = 0; row < rows; row += 1) found.rows.push(end + start + row);
        found.batch = Math.max(found.batch, batch);
      }
      end += table.length;
    }
    return [...byAccount].flatMap(([account, { rows, batch }]) =>
      segmentsOf(chosenRows(all, Uint32Array.from(rows)), { level: 0, batch }).map((segment) => ({
        ...segment,
        account,
      })),
    );
  });
}

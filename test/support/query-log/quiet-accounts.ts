import { encodeBatches, shareBatches } from '../../../src/query-log/log-engine.ts';
import { openEngine } from '../../../src/query-log/open-log.ts';
import { someRecords } from './tables.ts';

/** Appends the same rows of many accounts to a log in PostgreSQL, encoded once. */
export async function openQuietAccounts(url: string, { accounts, rows }: { accounts: number; rows: number }) {
  const now = Date.now();
  const records = someRecords(rows, (row) => ({ account: `account-${row % accounts}`, time: now - (row % 1000) }));
  const batches = shareBatches(encodeBatches(records));
  const engine = await openEngine(
    { postgres: url },
    // Moves to the segments of accounts happen in the background; they would use the second processor of a small machine.
    { now: Date.now, onProblem: (problem) => console.error(problem), maxSharedRows: Number.MAX_SAFE_INTEGER },
  );
  return { append: (): Promise<void> => engine.appendBatches(batches), close: engine.close };
}

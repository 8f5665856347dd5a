import { DAY_MS } from '../../kit/durations.ts';
import type { UnflushedCounts } from './log-backend.ts';
import type { SqliteFile, SqlRow } from './sqlite-file.ts';
import type { SqliteFiles } from './sqlite-files.ts';

export function accountsIn(files: SqliteFiles): readonly string[] {
  const sql = 'SELECT DISTINCT account FROM blocks UNION SELECT DISTINCT account FROM tallies';
  const rows = files.weeks().flatMap((week) => files.weekFile(week).all(sql));
  const counted = files
    .statistics()
    .all('SELECT DISTINCT account FROM tallies UNION SELECT DISTINCT account FROM counted');
  return [...new Set([...rows, ...counted].map(({ account }) => account as string))];
}

export function unflushedCounts(files: SqliteFiles): UnflushedCounts[] {
  const sql = `SELECT account, count(*) AS blocks, sum(row_count) AS row_count, min(oldest) AS oldest,
    sum(iif(fresh IS NULL, row_count, 0)) AS encoded FROM blocks WHERE level = 0 GROUP BY account`;
  const found = new Map<string, UnflushedCounts>();
  for (const row of files.weeks().flatMap((week) => files.weekFile(week).all(sql))) {
    const account = row['account'] as string;
    const counts = found.get(account) ?? {
      account,
      segments: 0,
      rows: 0,
      encodedRows: 0,
      first: Number.POSITIVE_INFINITY,
    };
    found.set(account, {
      account,
      segments: counts.segments + (row['blocks'] as number),
      rows: counts.rows + (row['row_count'] as number) - (row['encoded'] as number),
      encodedRows: counts.encodedRows + (row['encoded'] as number),
      first: Math.min(counts.first, row['oldest'] as number),
    });
  }
  return [...found.values()];
}

/** Deletes the whole file if every row of the week has expired. */
export function expireWeek(
  files: SqliteFiles,
  week: number,
  cutoffs: ReadonlyMap<string, number>,
  inTransaction: (file: SqliteFile) => SqliteFile,
): void {
  const held = files
    .weekFile(week)
    .all('SELECT account, max(newest) AS newest, min(level) AS level FROM blocks GROUP BY account');
  const isOver = ({ account, newest, level }: SqlRow): boolean =>
    (level as number) > 0 && (newest as number) < (cutoffs.get(account as string) ?? Number.NEGATIVE_INFINITY);
  if (held.every(isOver)) {
    files.removeWeek(week);
    return;
  }
  const segments = 'DELETE FROM blocks WHERE account = ? AND newest < ? AND level > 0';
  const rollups = 'DELETE FROM tallies WHERE account = ? AND start <= ?';
  const noted = files.weekFile(week).all('SELECT DISTINCT account FROM tallies');
  for (const account of new Set([...held, ...noted].map((row) => row['account'] as string))) {
    const cutoff = cutoffs.get(account);
    if (cutoff === undefined || cutoff <= week) continue;
    inTransaction(files.weekFile(week)).run(segments, account, cutoff);
    files.weekFile(week).run(rollups, account, cutoff - DAY_MS);
  }
}

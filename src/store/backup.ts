import { type BackupRow, writeBackup } from './backup-file.ts';
import { builders, type Database, type Run } from './database.ts';
import { refuseAhead, versionIn } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { keyOfTable, tableNames } from './tables.ts';

const ROWS_AT_ONCE = 500;

/** A consistent snapshot of all tables in a format for both databases. */
export async function backUp(database: Database, path: string, now: number): Promise<void> {
  const { run, end } = await database.snapshot();
  try {
    await refuseAhead(run, migrations);
    const head = { format: 'weir backup', version: await versionIn(run), createdAt: now } as const;
    await writeBackup(path, head, allRows(database, run));
  } finally {
    await end();
  }
}

async function* allRows({ kind }: Database, run: Run): AsyncGenerator<BackupRow> {
  for (const table of tableNames) {
    const key = keyOfTable[table];
    const column = builders[kind].dynamic.ref(key);
    for (let last = ''; ; ) {
      const query = builders[kind].selectFrom(table).selectAll().where(column, '>', last).orderBy(column);
      const { rows } = await run<Record<string, unknown>>(query.limit(ROWS_AT_ONCE).compile());
      for (const row of rows) yield { table, row };
      if (rows.length < ROWS_AT_ONCE) break;
      last = String(rows.at(-1)![key]);
    }
  }
}

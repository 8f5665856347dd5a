import { StoreError } from '../domain/store-error.ts';
import { type BackupHead, type BackupRow, checkBackup, rowsOf } from './backup-file.ts';
import { appendChange, newestChange } from './changes.ts';
import { builders, type Database, type Run } from './database.ts';
import { plain, prepareMigration, refuseAhead, step } from './migrate.ts';
import { type Migration, migrations } from './migrations/migrations.ts';
import { keyOfTable, type Tables, tableNames, tablesNotInBackups } from './tables.ts';

const ROWS_AT_ONCE = 100;

async function readHead(path: string, steps: readonly Migration[]): Promise<BackupHead> {
  const head = await checkBackup(path);
  if (head.version <= steps.length) return head;
  throw new StoreError(
    'not restorable',
    `${path} was written by a newer version of Weir: restore it with that version`,
  );
}

export type BackupContent = { readonly createdAt: number; readonly accounts: number; readonly devices: number };

/** Verifies the whole file, and that this version can restore it. */
export async function inspectBackup(path: string): Promise<BackupContent> {
  const { createdAt } = await readHead(path, migrations);
  let [accounts, devices] = [0, 0];
  for await (const { table } of rowsOf(path)) {
    if (!Object.hasOwn(keyOfTable, table)) throw new StoreError('not restorable', `${path} is damaged or incomplete`);
    if (table === 'accounts') accounts++;
    if (table === 'devices') devices++;
  }
  return { createdAt, accounts, devices };
}

/** Restores into a database without accounts. Backups of older versions are loaded in their schema and migrated. */
export async function restore(database: Database, path: string, now: number, steps = migrations): Promise<void> {
  const { version } = await readHead(path, steps);
  await database.transaction(async (run) => {
    await prepareMigration(database, run);
    await refuseAhead(run, steps);
    await refuseUnlessEmpty(database, run);
    await database.announce(run);
    const { revision } = await newestChange(database.kind, run);
    for (const table of [...tablesNotInBackups, ...tableNames.toReversed()]) await run(plain(`drop table ${table}`));
    for (let to = 1; to <= version; to++) await step(run, steps, to);
    for await (const { table, rows } of batchesOf(rowsOf(path))) {
      await run(
        builders[database.kind]
          .insertInto(table)
          .values(rows as Tables[typeof table][])
          .compile(),
      );
    }
    for (let to = version + 1; to <= steps.length; to++) await step(run, steps, to);
    // Running servers read all accounts: the revision of a backup is meaningless here.
    await appendChange(database.kind, run, { revision: revision + 1, account: null, at: now });
  });
}

async function refuseUnlessEmpty({ kind }: Database, run: Run): Promise<void> {
  const { rows } = await run(builders[kind].selectFrom('accounts').select('id').limit(1).compile());
  if (rows.length > 0)
    throw new StoreError('not restorable', 'the database already has accounts: restore into an empty database');
}

type Batch = { readonly table: keyof Tables; readonly rows: BackupRow['row'][] };

/** Batches of consecutive rows of one table. */
async function* batchesOf(rows: AsyncIterable<BackupRow>): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  for await (const { table, row } of rows) {
    if (batch && (batch.table !== table || batch.rows.length === ROWS_AT_ONCE)) {
      yield batch;
      batch = undefined;
    }
    batch ??= { table: table as Batch['table'], rows: [] };
    batch.rows.push(row);
  }
  if (batch) yield batch;
}

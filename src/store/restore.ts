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

/** Of the installation, not of its accounts: nodes and their batches stay valid when a backup replaces the accounts. */
const tablesOfInstallation = ['nodes', 'received_batches', 'shared_secrets'] as const;
/** Rows of a backup that end with it: sessions, one-time tokens and replies to requests. */
const endingTables = [
  'access_tokens',
  'replaced_refresh_tokens',
  'token_families',
  'tickets',
  'brakes',
  'stored_replies',
] as const;

type RestoreOptions = { readonly isReplacing?: boolean; readonly steps?: readonly Migration[] };

/**
 * Restores into a database without accounts, or replaces all accounts. Backups of older versions are loaded in their schema and
 * migrated.
 */
export async function restore(
  database: Database,
  path: string,
  now: number,
  { isReplacing = false, steps = migrations }: RestoreOptions = {},
): Promise<void> {
  const { version } = await readHead(path, steps);
  await database.transaction(async (run) => {
    await prepareMigration(database, run);
    await refuseAhead(run, steps);
    if (!isReplacing) await refuseUnlessEmpty(database, run);
    const preserved = isReplacing ? await rowsOfTables(database, run, tablesOfInstallation) : [];
    await database.announce(run);
    const { revision } = await newestChange(database.kind, run);
    for (const table of [...tablesNotInBackups, ...tableNames.toReversed()]) await run(plain(`drop table ${table}`));
    for (let to = 1; to <= version; to++) await step(run, steps, to);
    for await (const batch of batchesOf(rowsOf(path))) await insert(database, run, batch);
    for (let to = version + 1; to <= steps.length; to++) await step(run, steps, to);
    if (isReplacing) {
      for (const table of [...endingTables, ...tablesOfInstallation]) await run(plain(`delete from ${table}`));
      for (const { table, rows } of preserved) if (rows.length > 0) await insert(database, run, { table, rows });
    }
    // Running servers read all accounts: the revision of a backup is meaningless here.
    await appendChange(database.kind, run, { revision: revision + 1, account: null, at: now });
  });
}

const insert = ({ kind }: Database, run: Run, { table, rows }: Batch) =>
  run(
    builders[kind]
      .insertInto(table)
      .values(rows as Tables[typeof table][])
      .compile(),
  );

const rowsOfTables = (
  { kind }: Database,
  run: Run,
  tables: readonly (keyof Tables)[],
): Promise<readonly { readonly table: keyof Tables; readonly rows: BackupRow['row'][] }[]> =>
  Promise.all(
    tables.map(async (table) => ({
      table,
      rows: [...(await run<BackupRow['row']>(builders[kind].selectFrom(table).selectAll().compile())).rows],
    })),
  );

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

import { sql } from 'kysely';
import { StoreError } from '../domain/store-error.ts';
import { builders, type Database, type Run, type Statement } from './database.ts';
import type { Migration } from './migrations/migrations.ts';

/** Migrates the database to the latest version, each step in a transaction that also stores the version. */
export async function migrate(database: Database, steps: readonly Migration[]): Promise<void> {
  const current = await database.transaction(async (run) => {
    await prepareMigration(database, run);
    await run(plain('create table if not exists schema_version (version integer not null)'));
    return versionIn(run);
  });
  if (current > steps.length) {
    throw new StoreError(
      'newer',
      `the database has schema version ${current}, but this program supports only up to ${steps.length}: use a newer version of Weir`,
    );
  }
  for (let version = current + 1; version <= steps.length; version++) {
    await database.transaction(async (run) => {
      await prepareMigration(database, run);
      // Another process may have migrated meanwhile.
      if ((await versionIn(run)) < version) await step(run, steps, version);
    });
  }
}

/** Runs the statements of this version in the transaction of the caller. */
export async function step(run: Run, steps: readonly Migration[], version: number): Promise<void> {
  for (const statement of steps[version - 1]!) await run(plain(statement));
  await run(plain('delete from schema_version'));
  await run(plain(`insert into schema_version values (${version})`));
}

export async function versionIn(run: Run): Promise<number> {
  const { rows } = await run<{ version: number }>({ sql: 'select version from schema_version', parameters: [] });
  return rows[0]?.version ?? 0;
}

/** A migration of a large table takes minutes. */
const MAX_MS = 600_000;

export const plain = (text: string): Statement<unknown> => ({ sql: text, parameters: [], maxMs: MAX_MS });

// SQLite serialises write transactions; PostgreSQL needs an advisory lock. Its number is arbitrary but constant.
export async function prepareMigration(database: Database, run: Run): Promise<void> {
  if (database.kind !== 'postgres') return;
  await run(plain(`set local statement_timeout = ${MAX_MS}`));
  await run({ ...sql`select pg_advisory_xact_lock(7311801)`.compile(builders.postgres), maxMs: MAX_MS });
}

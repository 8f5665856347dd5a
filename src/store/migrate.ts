import { sql } from 'kysely';
import { StoreError } from '../domain/store-error.ts';
import { builders, type Database, type Run, type Statement } from './database.ts';
import type { Migration } from './migrations/migrations.ts';

/**
 * Migrates the database to the latest version, each step in a transaction that also stores the version. `ahead`: a newer program has
 * migrated it by one version, which this one can use.
 */
export async function migrate(database: Database, steps: readonly Migration[]): Promise<'current' | 'ahead'> {
  const current = await database.transaction(async (run) => {
    await prepareMigration(database, run);
    await run(plain('create table if not exists schema_version (version integer not null)'));
    await run(plain('create table if not exists schema_compatibility (usable_by integer not null)'));
    return versionIn(run);
  });
  if (current > steps.length) {
    if ((await usableBy(database.read)) <= steps.length) return 'ahead';
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
  return 'current';
}

/** Runs the statements of this version in the transaction of the caller. */
export async function step(run: Run, steps: readonly Migration[], version: number): Promise<void> {
  const migration = steps[version - 1]!;
  for (const statement of 'expands' in migration ? migration.expands : migration) await run(plain(statement));
  // Expansions follow each other: a program that can use the database still can.
  const oldest = 'expands' in migration ? Math.min(await usableBy(run), version - 1) : version;
  await run(plain('delete from schema_version'));
  await run(plain(`insert into schema_version values (${version})`));
  await run(plain('delete from schema_compatibility'));
  await run(plain(`insert into schema_compatibility values (${oldest})`));
}

/** The oldest schema version whose program may use the database. */
async function usableBy(run: Run): Promise<number> {
  const { rows } = await run<{ usable_by: number }>({
    sql: 'select usable_by from schema_compatibility',
    parameters: [],
  });
  return rows[0]?.usable_by ?? Infinity;
}

/** Backup and restore know only the tables of this version. */
export async function refuseAhead(run: Run, steps: readonly Migration[]): Promise<void> {
  if ((await versionIn(run)) <= steps.length) return;
  throw new StoreError(
    'newer',
    'the database was migrated by a newer version of Weir: back up and restore with that version',
  );
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

import { sql } from 'kysely';
import type { AccountId } from '../domain/ids.ts';
import { builders, type DatabaseKind, one, prepared, type Run } from './database.ts';

/** A committed change. `account` is null if it affects all accounts. */
export type Change = { readonly revision: number; readonly account: AccountId | null; readonly at: number };

/** Identifies a change: after a restore or a failover another change may have the same revision, but not the same time. */
export type Position = Pick<Change, 'revision' | 'at'>;

/** The position before the first change. */
export const noChange: Change = { revision: 0, account: null, at: 0 };

const KEEP_MS = 86_400_000;
const KEEP_COUNT = 100_000;

const newest = prepared()((db) => db.selectFrom('changes').selectAll().orderBy('revision', 'desc').limit(one));

const since = prepared<{ revision: number; limit: number }>()((db, $) =>
  db.selectFrom('changes').selectAll().where('revision', '>=', $.revision).orderBy('revision').limit($.limit),
);

export async function newestChange(kind: DatabaseKind, run: Run): Promise<Change> {
  return ((await run(newest(kind, {}))).rows[0] as Change | undefined) ?? noChange;
}

/** The change with this revision and later ones, oldest first. */
export async function changesFrom(kind: DatabaseKind, run: Run, revision: number, limit: number) {
  return (await run(since(kind, { revision, limit }))).rows as readonly Change[];
}

/** In a transaction, after `announce`: no other transaction gets the same revision. */
export async function storeChanges(
  kind: DatabaseKind,
  run: Run,
  accounts: Iterable<AccountId>,
  at: number,
): Promise<readonly Change[]> {
  const { revision } = await newestChange(kind, run);
  const stored = Array.from(accounts, (account, nth) => ({ revision: revision + 1 + nth, account, at }));
  for (const change of stored) await appendChange(kind, run, change);
  return stored;
}

const insert = prepared<{ revision: number; account: AccountId | null; at: number }>()((db, $) =>
  db.insertInto('changes').values({ revision: $.revision, account: $.account, at: $.at }),
);

export const appendChange = (kind: DatabaseKind, run: Run, { revision, account, at }: Change) =>
  run(insert(kind, { revision, account, at }));

/** Deletes changes that no process is expected to need. The newest one remains: later revisions are counted from it. */
export const deleteOldChanges = (kind: DatabaseKind, run: Run, now: number) => {
  const last = sql<number>`(select max(revision) from changes)`;
  return run(
    builders[kind]
      .deleteFrom('changes')
      .where('revision', '<', last)
      .where((where) =>
        where.or([where('at', '<', now - KEEP_MS), where('revision', '<=', sql<number>`${last} - ${KEEP_COUNT}`)]),
      )
      .compile(),
  );
};

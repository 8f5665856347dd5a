import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { workLoop } from '../kit/single-flight.ts';
import { type Change, changesFrom, deleteOldChanges, newestChange, noChange, type Position } from './changes.ts';
import type { Database, DatabaseKind, Run } from './database.ts';

const POLL_MS = 5000;
const MIN_READ_MS = 500;
const CLEAN_MS = 3_600_000;
/** Above this, reading all accounts costs less than reading the changed ones one by one. */
const MAX_CHANGES = 5000;

/** Notifies other processes of commits, besides the database. Messages may be lost. */
export type ChangeNotices = {
  readonly announce: () => void;
  /** Calls the listener when another process has announced a commit; returns a function that removes it. */
  readonly listen: (listener: () => void) => () => void;
};

type FeedDeps = {
  readonly database: Pick<Database, 'kind' | 'read' | 'transaction' | 'onForeignCommit'>;
  readonly notify: (changed: ChangedAccounts) => void;
  readonly notices?: ChangeNotices | undefined;
  readonly pollMs?: number;
};

/** `lagMs`: time since this process was last up to date with all stored changes. */
export type FeedState = { readonly revision: number; readonly lagMs: number };

/**
 * Reads changes of other processes: at once when the database reports a commit, and at an interval, because reports may be missed.
 * Every change has a revision, and they are committed in order: this process has applied those up to its position.
 */
export async function openChangeFeed({ database, notify, notices, pollMs = POLL_MS }: FeedDeps) {
  const { kind } = database;
  // A connection that does not answer must not delay this as long as other statements.
  const read: Run = (statement) => database.read({ ...statement, maxMs: Math.max(pollMs, MIN_READ_MS) });
  /** Undefined until the database could be read. */
  let position: Change | undefined;
  let knownAt = performance.now();
  /** Changes of this process after the position. */
  const ownChanges = new Map<number, Change>();
  let isNoticed = false;

  const moveTo = (change: Change): void => {
    position = change;
    for (const revision of ownChanges.keys()) if (revision <= change.revision) ownChanges.delete(revision);
  };

  const readNew = async (): Promise<void> => {
    const startedAt = performance.now();
    const from = position;
    const rows = from ? await changesFrom(kind, read, from.revision, MAX_CHANGES) : [];
    const changed = from && changedAccounts(from, rows, (row) => isKnown(row));
    if (changed === undefined) {
      // Before all accounts are read, so that later changes are read again.
      moveTo(await newestChange(kind, read));
      notify('all');
    } else {
      const last = rows.at(-1);
      if (last && last.revision > position!.revision) moveTo(last);
      if (changed.size > 0) notify(changed);
    }
    knownAt = startedAt;
  };
  /** Changes of this process are already applied. */
  const isKnown = (row: Change): boolean =>
    row.revision <= position!.revision || isSame(ownChanges.get(row.revision), row);

  const reads = workLoop(
    () => isNoticed,
    async () => {
      isNoticed = false;
      await readNew();
    },
  );
  const look = (): Promise<void> => {
    isNoticed = true;
    return reads.start();
  };
  // Requests report that the database is unavailable; here `lagMs` shows it, and the next interval tries again.
  const lookLater = (): void => void look().catch(() => undefined);

  const clean = (): void => {
    database.transaction((run) => deleteOldChanges(kind, run, Date.now())).catch(() => undefined);
  };

  const start = async (): Promise<void> => {
    try {
      position = await newestChange(kind, read);
      knownAt = performance.now();
    } catch {
      // The database is not available yet: all accounts are read when it is.
    }
    await database.onForeignCommit(lookLater);
  };
  await start();
  const stopListening = notices?.listen(lookLater);
  const timers = [setInterval(lookLater, pollMs).unref(), setInterval(clean, CLEAN_MS).unref()];

  return {
    /** To be called after the commit of a transaction of this process. */
    committed(changes: readonly Change[]): void {
      for (const change of changes)
        if (position && change.revision === position.revision + 1) moveTo(change);
        else ownChanges.set(change.revision, change);
      if (changes.length > 0) notices?.announce();
    },
    state: (): FeedState => ({ revision: position?.revision ?? 0, lagMs: performance.now() - knownAt }),
    /** The newest change of those that this process has notified of; undefined until the database could be read. */
    position: (): Change | undefined => position,
    stop: (): void => {
      timers.forEach(clearInterval);
      stopListening?.();
    },
  };
}

const isAt = (one: Position | undefined, other: Position | undefined): boolean =>
  one?.revision === other?.revision && one?.at === other?.at;

const isSame = (one: Change | undefined, other: Change | undefined): boolean =>
  isAt(one, other) && one?.account === other?.account;

/**
 * The accounts of the rows after the position. Undefined: all accounts must be read, because changes are missing (the position was
 * deleted, or the database was restored, or failed over to a server that had not received it).
 */
export function changedAccounts(
  position: Position,
  rows: readonly Change[],
  isApplied: (row: Change) => boolean = () => false,
): ReadonlySet<AccountId> | undefined {
  const isComplete = position.revision === noChange.revision ? (rows[0]?.revision ?? 1) === 1 : isAt(position, rows[0]);
  if (!isComplete || rows.length >= MAX_CHANGES) return undefined;
  const changed = new Set<AccountId>();
  for (const row of rows) {
    if (row.revision === position.revision || isApplied(row)) continue;
    if (row.account === null) return undefined;
    changed.add(row.account);
  }
  return changed;
}

/** `all`: it is not known which accounts changed. */
export type ChangedSince = { readonly position: Position; readonly accounts: ReadonlySet<AccountId> } | 'all';

/** Accounts that changed after the position, and the new position. */
export async function changedSince(kind: DatabaseKind, run: Run, position: Position): Promise<ChangedSince> {
  const rows = await changesFrom(kind, run, position.revision, MAX_CHANGES);
  const accounts = changedAccounts(position, rows);
  return accounts ? { position: rows.at(-1) ?? position, accounts } : 'all';
}

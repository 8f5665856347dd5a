import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId, KeyId } from '../domain/ids.ts';
import { accountReads, accountWrites } from './accounts.ts';
import { type AccountSnapshot, everyoneIn, snapshotOf } from './all-accounts.ts';
import { auditReads, auditWrites } from './audit.ts';
import { backUp } from './backup.ts';
import { type CommitListener, commitNotices, type NoticeOptions } from './change-notifier.ts';
import { customListReads, customListWrites } from './custom-lists.ts';
import type { Database, Run } from './database.ts';
import { dedicatedReads, dedicatedWrites } from './dedicated-addresses.ts';
import { deviceReads, deviceWrites } from './devices.ts';
import { invitationReads, invitationWrites } from './invitations.ts';
import { keyReads, keyWrites, recordUses } from './keys.ts';
import { lastUses } from './last-used.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { ticketReads, ticketWrites } from './one-time-tokens.ts';
import { operatorReads, operatorWrites } from './operators.ts';
import { openPostgres } from './postgres-database.ts';
import { profileReads, profileWrites } from './profiles.ts';
import { lateDatabase } from './reconnecting-database.ts';
import { restore } from './restore.ts';
import { openSqlite, SETTINGS_FILE } from './sqlite-database.ts';
import { StoreError, type StoreFailure } from './store-error.ts';
import { brakeReads, brakeWrites } from './throttles.ts';
import { recordSessionUses, tokenReads, tokenWrites } from './tokens.ts';
import { readingSession, type Session, session, type Watch } from './transaction-session.ts';
import { userReads, userWrites } from './users.ts';

const WRITE_KEYS_MS = 30_000;
const WRITE_SESSIONS_MS = 60_000;

const readsOf = (session: Session) => ({
  accounts: accountReads(session),
  users: userReads(session),
  keys: keyReads(session),
  tokens: tokenReads(session),
  invitations: invitationReads(session),
  tickets: ticketReads(session),
  brakes: brakeReads(session),
  profiles: profileReads(session),
  devices: deviceReads(session),
  dedicated: dedicatedReads(session),
  customLists: customListReads(session),
  operators: operatorReads(session),
  audit: auditReads(session),
});

function transactionOf(session: Session) {
  const reads = readsOf(session);
  return {
    accounts: { ...reads.accounts, ...accountWrites(session) },
    users: { ...reads.users, ...userWrites(session) },
    keys: { ...reads.keys, ...keyWrites(session) },
    tokens: { ...reads.tokens, ...tokenWrites(session) },
    invitations: { ...reads.invitations, ...invitationWrites(session) },
    tickets: { ...reads.tickets, ...ticketWrites(session) },
    brakes: { ...reads.brakes, ...brakeWrites(session) },
    profiles: { ...reads.profiles, ...profileWrites(session) },
    devices: { ...reads.devices, ...deviceWrites(session) },
    dedicated: { ...reads.dedicated, ...dedicatedWrites(session) },
    customLists: { ...reads.customLists, ...customListWrites(session) },
    operators: { ...reads.operators, ...operatorWrites(session) },
    audit: { ...reads.audit, ...auditWrites(session) },
  };
}

export type Reads = ReturnType<typeof readsOf>;
export type Transaction = ReturnType<typeof transactionOf>;

/** `folder` is for one server; a command that runs beside it says so. */
export type StoreOptions = { readonly notices?: NoticeOptions } & (
  | {
      readonly folder: string;
      readonly besideServer?: boolean;
      /** Told of damage that was repaired. */
      readonly onWarning?: (warning: string) => void;
    }
  | { readonly postgres: string }
);

/** All settings of all accounts. */
export type Store = {
  /** Each call sees what is committed at that moment. */
  readonly read: Reads;
  /**
   * All of it or, when the work throws, nothing. What it has read of an account nobody else changes before it ends. The work
   * awaits nothing but the store, does not begin another transaction, and may be run again.
   */
  readonly inTransaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** False once the file of the settings is deleted or replaced: reads give the last known ones, changes are refused. */
  readonly isInPlace: () => boolean;
  readonly snapshot: (account: AccountId) => Promise<AccountSnapshot | undefined>;
  /** Everybody, as of one moment, some accounts at a time. */
  readonly everyone: () => AsyncGenerator<readonly AccountSnapshot[]>;
  /** Remembers it; written now and then, so that a request does not mean a write. */
  readonly keyUsed: (key: KeyId, at: number) => void;
  /** The same of a sign-in; the last use is known at once, in this process. */
  readonly sessionUsed: (family: string, at: number) => void;
  readonly sessionLastUsed: (family: string) => number | undefined;
  /** Writes it now. */
  readonly flush: () => Promise<void>;
  /** A transaction waits for its listeners, five seconds at most. `name` is for the log. Returns a function that removes the listener. */
  readonly onCommit: (listener: CommitListener, name?: string) => () => void;
  /** Overwrites the bytes of what was deleted, in the file of the settings. */
  readonly erase: () => Promise<void>;
  /** Whether a listener is late or fails: changes are committed that it has not applied yet. */
  readonly areListenersBehind: () => boolean;
  /** One file, for either database; the server goes on meanwhile. */
  readonly backup: (file: string, now: number) => Promise<void>;
  /** Only into a store without accounts. */
  readonly restore: (file: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openStore(options: StoreOptions): Promise<Store> {
  return storeOver(await openDatabase(options), options);
}

/** What keeps a database from being used, but may pass without anybody touching this program. */
const passing: readonly StoreFailure[] = ['busy', 'disk full', 'read only', 'corrupt', 'unreachable', 'lost'];

export const mayPass = (error: unknown): error is StoreError =>
  error instanceof StoreError && passing.includes(error.failure);

/** A store whose database cannot be used now: it refuses everything until that can be opened, and tells its listeners of all then. */
export function openStoreLater(
  options: StoreOptions,
  because: StoreError,
  onOpened: () => void,
  againMs?: number,
): Promise<Store> {
  const open = async (): Promise<Database> => {
    if (isSettingsFileEmpty(options)) throw because;
    const database = await openDatabase(options);
    // A database without accounts in place of one that had some: `weir restore` has not filled it yet.
    const count = await readsOf(readingSession(database.kind, database.read)).accounts.count();
    if (count > 0) return database;
    await database.close();
    throw because;
  };
  const kind = 'folder' in options ? 'sqlite' : 'postgres';
  return storeOver(lateDatabase({ kind, because, open, onOpened, ...(againMs !== undefined && { againMs }) }), options);
}

/** Whether the file of the settings is missing or has no bytes, as after a power loss. */
export function isSettingsFileEmpty(options: StoreOptions): boolean {
  if (!('folder' in options)) return false;
  return !statSync(join(options.folder, SETTINGS_FILE), { throwIfNoEntry: false })?.size;
}

async function openDatabase(options: StoreOptions): Promise<Database> {
  const database = 'folder' in options ? openSqlite(options) : await openPostgres(options.postgres);
  try {
    await migrate(database, migrations);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function storeOver(database: Database, options: Pick<StoreOptions, 'notices'>): Promise<Store> {
  const { kind } = database;
  const notices = commitNotices(options.notices);
  await database.onForeignChange((changed) => void notices.tell(changed));

  const within = new AsyncLocalStorage<true>();

  const inTransaction: Store['inTransaction'] = async (work) => {
    // It would wait for itself to end.
    if (within.getStore()) throw new Error('a transaction was begun inside of another');
    const { result, changed } = await database.transaction(async (run) => {
      const changed = new Set<AccountId>();
      const { tx, end } = oneTransaction(database, run, changed);
      const result = await within.run(true, () => work(tx)).finally(end);
      if (changed.size > 0) await database.announce(run, changed);
      return { result, changed };
    });
    if (changed.size > 0) await notices.tell(changed);
    return result;
  };

  const unheard = (run: Run): Session => session(kind, run, { enter() {}, alone() {}, changed() {} });
  const keys = lastUses<KeyId>(WRITE_KEYS_MS, (used) => database.transaction((run) => recordUses(unheard(run), used)));
  const sessions = lastUses<string>(WRITE_SESSIONS_MS, (used) =>
    database.transaction((run) => recordSessionUses(unheard(run), used)),
  );

  return {
    read: readsOf(readingSession(kind, database.read)),
    inTransaction,
    isInPlace: database.isInPlace,
    snapshot: (account) => atOneMoment(database, (session) => snapshotOf(session, account)),
    everyone: () => everyoneOf(database),
    keyUsed: keys.add,
    sessionUsed: sessions.add,
    sessionLastUsed: sessions.latest,
    async flush() {
      await keys.flush();
      await sessions.flush();
    },
    onCommit: notices.listen,
    erase: database.erase,
    areListenersBehind: notices.areBehind,
    backup: (file, now) => backUp(database, file, now),
    async restore(file) {
      await restore(database, file);
      await notices.tell('all');
    },
    async close() {
      notices.stop();
      await keys.stop();
      await sessions.stop();
      await database.close();
    },
  };
}

function oneTransaction(database: Database, run: Run, changed: Set<AccountId>) {
  const locked = new Set<AccountId>();
  let isOver = false;
  // A call that nobody waited for would otherwise write into somebody else's transaction.
  const whileItLasts: Run = async (statement) => {
    if (isOver) throw new Error('the transaction is over');
    return run(statement);
  };
  const watch: Watch = {
    enter(account) {
      if (locked.has(account)) return;
      locked.add(account);
      return database.lockAccount(run, account);
    },
    alone: (name) => database.lockName(run, name),
    changed: (account) => changed.add(account),
  };
  const end = (): void => {
    isOver = true;
  };
  return { tx: transactionOf(session(database.kind, whileItLasts, watch)), end };
}

async function* everyoneOf(database: Database): AsyncGenerator<readonly AccountSnapshot[]> {
  const { run, end } = await database.snapshot();
  try {
    yield* everyoneIn(readingSession(database.kind, run));
  } finally {
    await end();
  }
}

async function atOneMoment<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const { run, end } = await database.snapshot();
  try {
    return await work(readingSession(database.kind, run));
  } finally {
    await end();
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AccountTexts } from '../domain/account-texts.ts';
import type { AccountId, KeyId } from '../domain/ids.ts';
import type {
  AccountSnapshot,
  ChangeListener,
  InTransaction,
  StoreReader,
  Transaction,
} from '../domain/repositories.ts';
import { StoreError } from '../domain/store-error.ts';
import { accountReads, accountWrites } from './accounts.ts';
import { allAccountsIn, snapshotOf } from './all-accounts.ts';
import { auditReads, auditWrites } from './audit.ts';
import { backUp } from './backup.ts';
import { type ChangedSince, type ChangeNotices, changedSince, type FeedState, openChangeFeed } from './change-feed.ts';
import { changeNotifier, type NotifierOptions } from './change-notifier.ts';
import { type Change, newestChange, type Position, storeChanges } from './changes.ts';
import { clientNetworkReads, clientNetworkWrites } from './client-networks.ts';
import { customListReads, customListWrites } from './custom-lists.ts';
import type { Database, Run } from './database.ts';
import { dedicatedReads, dedicatedWrites } from './dedicated-addresses.ts';
import { deviceIdentifierReads, deviceIdentifierWrites } from './device-identifiers.ts';
import { deviceReads, deviceWrites } from './devices.ts';
import { forwardRuleReads, forwardRuleWrites } from './forward-rules.ts';
import { invitationReads, invitationWrites } from './invitations.ts';
import { keyReads, keyWrites, recordUses } from './keys.ts';
import { lastUsed } from './last-used.ts';
import { localRecordReads, localRecordWrites } from './local-records.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { networkClientReads, networkClientWrites } from './network-clients.ts';
import { nodeReads, nodeWrites } from './nodes.ts';
import { oneTimeTokenReads, oneTimeTokenWrites } from './one-time-tokens.ts';
import { operatorReads, operatorWrites } from './operators.ts';
import { passkeyReads, passkeyWrites } from './passkeys.ts';
import type { PostgresLimits } from './postgres-database.ts';
import { profileReads, profileWrites } from './profiles.ts';
import { receivedBatchReads, receivedBatchWrites } from './received-batches.ts';
import { reconnectingDatabase } from './reconnecting-database.ts';
import { type BackupContent, inspectBackup, restore } from './restore.ts';
import { sharedListReads, sharedListWrites } from './shared-lists.ts';
import { sharedSecretWrites } from './shared-secrets.ts';
import { openSqlite, SETTINGS_FILE } from './sqlite-database.ts';
import { storedReplyReads, storedReplyWrites } from './stored-replies.ts';
import { throttleReads, throttleWrites } from './throttles.ts';
import { recordSessionUses, tokenReads, tokenWrites } from './tokens.ts';
import { readingSession, type Session, session, type TransactionHooks } from './transaction-session.ts';
import { userReads, userWrites } from './users.ts';

const WRITE_KEYS_MS = 30_000;
const WRITE_SESSIONS_MS = 60_000;
const CLOSE_MS = 1000;

const readsOf = (session: Session): StoreReader => ({
  accounts: accountReads(session),
  users: userReads(session),
  passkeys: passkeyReads(session),
  keys: keyReads(session),
  tokens: tokenReads(session),
  invitations: invitationReads(session),
  oneTimeTokens: oneTimeTokenReads(session),
  throttles: throttleReads(session),
  profiles: profileReads(session),
  devices: deviceReads(session),
  dedicated: dedicatedReads(session),
  customLists: customListReads(session),
  clientNetworks: clientNetworkReads(session),
  localRecords: localRecordReads(session),
  forwardRules: forwardRuleReads(session),
  deviceIdentifiers: deviceIdentifierReads(session),
  networkClients: networkClientReads(session),
  storedReplies: storedReplyReads(session),
  operators: operatorReads(session),
  nodes: nodeReads(session),
  receivedBatches: receivedBatchReads(session),
  sharedLists: sharedListReads(session),
  audit: auditReads(session),
});

function transactionOf(session: Session): Transaction {
  const reads = readsOf(session);
  return {
    accounts: { ...reads.accounts, ...accountWrites(session) },
    users: { ...reads.users, ...userWrites(session) },
    passkeys: { ...reads.passkeys, ...passkeyWrites(session) },
    keys: { ...reads.keys, ...keyWrites(session) },
    tokens: { ...reads.tokens, ...tokenWrites(session) },
    invitations: { ...reads.invitations, ...invitationWrites(session) },
    oneTimeTokens: { ...reads.oneTimeTokens, ...oneTimeTokenWrites(session) },
    throttles: { ...reads.throttles, ...throttleWrites(session) },
    profiles: { ...reads.profiles, ...profileWrites(session) },
    devices: { ...reads.devices, ...deviceWrites(session) },
    dedicated: { ...reads.dedicated, ...dedicatedWrites(session) },
    customLists: { ...reads.customLists, ...customListWrites(session) },
    clientNetworks: { ...reads.clientNetworks, ...clientNetworkWrites(session) },
    localRecords: { ...reads.localRecords, ...localRecordWrites(session) },
    forwardRules: { ...reads.forwardRules, ...forwardRuleWrites(session) },
    deviceIdentifiers: { ...reads.deviceIdentifiers, ...deviceIdentifierWrites(session) },
    networkClients: { ...reads.networkClients, ...networkClientWrites(session) },
    storedReplies: { ...reads.storedReplies, ...storedReplyWrites(session) },
    operators: { ...reads.operators, ...operatorWrites(session) },
    nodes: { ...reads.nodes, ...nodeWrites(session) },
    receivedBatches: { ...reads.receivedBatches, ...receivedBatchWrites(session) },
    sharedSecrets: sharedSecretWrites(session),
    sharedLists: { ...reads.sharedLists, ...sharedListWrites(session) },
    audit: { ...reads.audit, ...auditWrites(session) },
  };
}

/** `folder` is used by one server at a time; a command beside it sets `besideServer`. */
export type StoreOptions = {
  readonly notifier?: NotifierOptions;
  /** Called for repaired damage and failed background writes. */
  readonly onWarning?: (warning: string, error?: unknown) => void;
  readonly notices?: ChangeNotices | undefined;
  /** Interval at which changes of other processes are read. */
  readonly pollMs?: number;
} & (
  | {
      readonly folder: string;
      readonly besideServer?: boolean;
    }
  | { readonly postgres: string; readonly limits?: PostgresLimits }
);

/** All settings of all accounts. */
export type Store = {
  /** Each call sees what is committed at that moment. */
  readonly read: StoreReader;
  readonly inTransaction: InTransaction;
  /** False once the file of the settings is deleted or replaced: reads give the last known ones, changes are refused. */
  readonly isInPlace: () => boolean;
  /** Whether this process does this work of all nodes on the database. */
  readonly isLeader: Database['isLeader'];
  readonly snapshot: (account: AccountId) => Promise<AccountSnapshot | undefined>;
  /** All accounts as of one moment, in batches. */
  readonly allAccounts: () => AsyncGenerator<readonly AccountTexts[]>;
  /** Records the last use; written at intervals, so that a request does not cause a write. */
  readonly keyUsed: (key: KeyId, at: number) => void;
  /** The same for sessions; this process sees the last use immediately. */
  readonly sessionUsed: (session: string, at: number) => void;
  readonly sessionLastUsed: (session: string) => number | undefined;
  /** Writes recorded uses now. */
  readonly flush: () => Promise<void>;
  /** A transaction waits for its listeners, five seconds at most. `name` is for the log. Returns a function that removes the listener. */
  readonly onCommit: (listener: ChangeListener, name?: string) => () => void;
  /** Reads may be reused until this changes: with every commit, within 10 ms for those of other processes. Undefined with PostgreSQL. */
  readonly version: Database['version'];
  /** Connections to PostgreSQL; undefined with SQLite. */
  readonly connections: Database['connections'];
  /** Overwrites deleted data in the settings file. */
  readonly erase: () => Promise<void>;
  /** Whether a listener is late or fails: changes are committed that it has not applied yet. */
  readonly areListenersBehind: () => boolean;
  /** Calls of listeners that failed or exceeded the timeout, since the start. */
  readonly listenerFailures: () => number;
  /** The newest change of any process that this one knows, and the time since it last knew all of them. */
  readonly changes: () => FeedState;
  /** The newest change up to which the listeners have applied everything; undefined while they apply changes. */
  readonly appliedChange: () => Position | undefined;
  /** The newest committed change. */
  readonly newestChange: () => Promise<Change>;
  /** Accounts that changed after a position, by any process. */
  readonly changedSince: (position: Position) => Promise<ChangedSince>;
  /** Writes a backup for either database while the server runs. */
  readonly backup: (file: string, now: number) => Promise<void>;
  /** Into a store without accounts, or in place of its accounts; then all sessions end. */
  readonly restore: (file: string, options?: { readonly isReplacing: boolean }) => Promise<void>;
  /** Verifies a backup and returns what it contains. */
  readonly inspectBackup: (file: string) => Promise<BackupContent>;
  /** To be called before the parts that use the store are closed: a database that does not answer must not delay them. */
  readonly limitWaits: () => void;
  readonly close: () => Promise<void>;
};

export async function openStore(options: StoreOptions): Promise<Store> {
  return storeOver(await openDatabase(options), options);
}

/** A store whose database cannot be opened now: it rejects every call until it can, and then notifies its listeners of all accounts. */
export function openReconnectingStore(
  options: StoreOptions,
  because: StoreError,
  onOpened: () => void,
  againMs?: number,
): Promise<Store> {
  const open = async (): Promise<Database> => {
    if (isSettingsFileEmpty(options)) throw because;
    const database = await openDatabase(options);
    // An empty database in place of one with accounts: `weir restore` has not run yet.
    const count = await readsOf(readingSession(database.kind, database.read)).accounts.count();
    if (count > 0) return database;
    await database.close();
    throw because;
  };
  const kind = 'folder' in options ? 'sqlite' : 'postgres';
  return storeOver(
    reconnectingDatabase({ kind, because, open, onOpened, ...(againMs !== undefined && { againMs }) }),
    options,
  );
}

/** Whether the settings file is missing or empty, as after a power loss. */
export function isSettingsFileEmpty(options: StoreOptions): boolean {
  if (!('folder' in options)) return false;
  return !statSync(join(options.folder, SETTINGS_FILE), { throwIfNoEntry: false })?.size;
}

/** Loaded on call: without PostgreSQL its client is not needed. */
const openPostgres = async (url: string, limits: PostgresLimits | undefined): Promise<Database> =>
  (await import('./postgres-database.ts')).openPostgres(url, limits);

async function openDatabase(options: StoreOptions): Promise<Database> {
  const database = 'folder' in options ? openSqlite(options) : await openPostgres(options.postgres, options.limits);
  try {
    const schema = await migrate(database, migrations);
    if (schema === 'ahead')
      options.onWarning?.('a newer version of Weir has migrated the database: upgrade this node soon');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function storeOver(
  database: Database,
  options: Pick<StoreOptions, 'notifier' | 'onWarning' | 'notices' | 'pollMs'>,
): Promise<Store> {
  const { kind } = database;
  const notifier = changeNotifier(options.notifier);
  const feed = await openChangeFeed({
    database,
    notify: (changed) => void notifier.notify(changed),
    notices: options.notices,
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
  });

  const transactionScope = new AsyncLocalStorage<true>();

  const inTransaction: Store['inTransaction'] = async (work, { mustApply = false } = {}) => {
    // A nested transaction would wait for the outer one, which waits for it.
    if (transactionScope.getStore()) throw new Error('transactions cannot be nested');
    const { result, changed, changes } = await database.transaction(async (run) => {
      const changed = new Set<AccountId>();
      const { tx, end } = oneTransaction(database, run, changed);
      const result = await transactionScope.run(true, () => work(tx)).finally(end);
      return { result, changed, changes: changed.size === 0 ? [] : await storeAndAnnounce(database, run, changed) };
    });
    feed.committed(changes);
    const isApplied = changed.size === 0 || (await notifier.notify(changed, mustApply));
    if (mustApply && !isApplied)
      throw new StoreError('not applied', 'the change is stored, but not every listener has applied it yet');
    return result;
  };

  const sessionWithoutHooks = (run: Run): Session => session(kind, run, { lockAccount() {}, lock() {}, changed() {} });
  const onError = (error: unknown): void => options.onWarning?.('times of last use were not written; retrying', error);
  const keys = lastUsed<KeyId>(
    WRITE_KEYS_MS,
    (used) => database.transaction((run) => recordUses(sessionWithoutHooks(run), used)),
    onError,
  );
  const sessions = lastUsed<string>(
    WRITE_SESSIONS_MS,
    (used) => database.transaction((run) => recordSessionUses(sessionWithoutHooks(run), used)),
    onError,
  );

  return {
    read: readsOf(readingSession(kind, database.read)),
    inTransaction,
    isInPlace: database.isInPlace,
    isLeader: database.isLeader,
    snapshot: (account) => atOneMoment(database, (session) => snapshotOf(session, account)),
    allAccounts: () => allAccountsOf(database),
    keyUsed: keys.add,
    sessionUsed: sessions.add,
    sessionLastUsed: sessions.latest,
    async flush() {
      await keys.flush();
      await sessions.flush();
    },
    onCommit: notifier.listen,
    version: database.version,
    connections: database.connections,
    erase: database.erase,
    areListenersBehind: notifier.areBehind,
    listenerFailures: notifier.failures,
    changes: feed.state,
    appliedChange: () => (notifier.areDone() ? feed.position() : undefined),
    newestChange: () => newestChange(kind, database.read),
    changedSince: (position) => changedSince(kind, database.read, position),
    backup: (file, now) => backUp(database, file, now),
    inspectBackup,
    async restore(file, options) {
      await restore(database, file, Date.now(), options);
      await notifier.notify('all');
    },
    limitWaits: database.limitWaits,
    async close() {
      feed.stop();
      notifier.stop();
      // A database that does not answer must not keep the process from ending.
      await Promise.race([Promise.all([keys.stop(), sessions.stop()]), wait(CLOSE_MS, undefined, { ref: false })]);
      await database.close();
    },
  };
}

function oneTransaction(database: Database, run: Run, changed: Set<AccountId>) {
  const locked = new Set<AccountId>();
  let isOver = false;
  // A call that was not awaited would write into a later transaction.
  const runUntilEnd: Run = async (statement) => {
    if (isOver) throw new Error('the transaction has ended');
    return run(statement);
  };
  const hooks: TransactionHooks = {
    lockAccount(account) {
      if (locked.has(account)) return;
      locked.add(account);
      return database.lockAccount(run, account);
    },
    lock: (name) => database.lockName(run, name),
    changed: (account) => changed.add(account),
  };
  const end = (): void => {
    isOver = true;
  };
  return { tx: transactionOf(session(database.kind, runUntilEnd, hooks)), end };
}

/** At the end of a transaction, because others wait from then on until it is committed. */
async function storeAndAnnounce(
  database: Database,
  run: Run,
  changed: ReadonlySet<AccountId>,
): Promise<readonly Change[]> {
  await database.announce(run);
  return storeChanges(database.kind, run, changed, Date.now());
}

async function* allAccountsOf(database: Database): AsyncGenerator<readonly AccountTexts[]> {
  const { run, end } = await database.snapshot();
  try {
    yield* allAccountsIn(database.kind, readingSession(database.kind, run));
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

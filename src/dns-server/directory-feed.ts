import { limitsOf, type Plans } from '../domain/account-limits.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import type { AccountSnapshot, ChangeListener } from '../domain/repositories.ts';
import type { AccountLists } from '../filter-lists/custom-lists.ts';
import { forEachLimit } from '../kit/concurrency.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import type { ProfileTables } from '../resolver/identity/client-updates.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';
import type { AccountTables } from './account-tables.ts';

const AGAIN_MS = 1000;
/** Accounts that are read at once: each read takes a connection to the database. */
const READS_AT_ONCE = 8;
const ALL = 'all accounts';

type AllAccounts = { readonly allAccounts: () => AsyncGenerator<readonly AccountSnapshot[]> };

/** With the data that only the main thread needs. */
export type FeedAccount = DirectoryAccount & { readonly customLists: readonly CustomList[] };

type AccountsUpdate = {
  readonly accounts: readonly DirectoryAccount[];
  readonly removed: readonly string[];
  readonly ruleTables: ReadonlyMap<string, ProfileTables>;
};

export type FeedDeps = {
  readonly store: AllAccounts & {
    readonly snapshot: (account: AccountId) => Promise<AccountSnapshot | undefined>;
    readonly onCommit: (listener: ChangeListener, name?: string) => () => void;
  };
  readonly plans: Plans;
  /** Used if the store cannot be read at start, until it can. */
  readonly lastKnown: readonly FeedAccount[] | undefined;
  readonly ruleTables: AccountTables;
  /** Resolves when the next query uses it. */
  readonly send: (update: AccountsUpdate) => Promise<void>;
  /** Called after an update from the store, which may have changed the set of lists in use. */
  readonly onSent: () => void;
};

/** Sends all accounts to the answering threads at start, and every changed account before its change counts as applied. */
export async function openDirectoryFeed({ store, plans, lastKnown, ruleTables, send, onSent }: FeedDeps) {
  const accountLists = new Map<string, AccountLists>();
  let isFromStore = lastKnown === undefined;
  let isStarted = false;

  const turn = keyedMutex();

  const sendUpdate = async (
    accounts: readonly FeedAccount[],
    removed: readonly string[],
    tables: ReadonlyMap<string, ProfileTables> = new Map(),
  ): Promise<void> => {
    await send({ accounts: accounts.map(toDirectoryAccount), removed, ruleTables: tables });
    for (const { id, profiles, customLists } of accounts)
      accountLists.set(id, { id, customLists, profiles: profiles.map(({ settings }) => settings) });
    for (const id of removed) {
      accountLists.delete(id);
      ruleTables.forget(id);
    }
  };

  const sendingOne = new Set<Promise<void>>();
  /** Accounts that were sent since all accounts were read. */
  const newer = new Set<string>();

  /** Sequential per account: a slow update must not overwrite a later one. */
  const sendOne = (id: AccountId): Promise<void> => {
    newer.add(id);
    const sent = turn(id, async () => {
      const snapshot = await store.snapshot(id);
      if (!snapshot) return sendUpdate([], [id]);
      const account = directoryAccount(snapshot, plans);
      return sendUpdate([account], [], await ruleTables.of(account));
    });
    sendingOne.add(sent);
    return sent.finally(() => sendingOne.delete(sent));
  };

  /** Sequential: an account that was read before its last change must not overwrite the changed one. */
  const sendAll = (): Promise<void> =>
    turn(ALL, async () => {
      await Promise.allSettled(sendingOne);
      newer.clear();
      await sendAllNow();
    });

  const sendAllNow = async (): Promise<void> => {
    const gone = new Set(accountLists.keys());
    let isEmpty = true;
    const heavy: AccountId[] = [];
    for await (const read of allAccountsIn(store, plans)) {
      isEmpty = false;
      for (const { id } of read) gone.delete(id);
      const accounts = read.filter(({ id }) => !newer.has(id));
      heavy.push(...accounts.filter(ruleTables.areNeeded).map(({ id }) => id));
      await sendUpdate(accounts, []);
    }
    // Expressions beyond a limit are skipped until their tables are built: the start does not wait for them.
    const prepared = Promise.all(heavy.map(sendOne));
    if (isStarted) await prepared;
    else prepared.catch(() => setTimeout(() => void sendAll().catch(() => undefined), AGAIN_MS).unref());
    // A damaged database is replaced by an empty one until its backup is restored.
    if (isEmpty && !isFromStore) return;
    isFromStore = true;
    await sendUpdate(
      [],
      [...gone].filter((id) => !newer.has(id)),
    );
    onSent();
  };

  const sendChanged = async (ids: Iterable<AccountId>): Promise<void> => {
    await forEachLimit(READS_AT_ONCE, ids, sendOne);
    onSent();
  };

  const stop = store.onCommit(
    (changed) => (changed === 'all' || !isFromStore ? sendAll() : sendChanged(changed)),
    'the resolver',
  );
  if (lastKnown) await sendUpdate(lastKnown, []);
  else await sendAll();
  isStarted = true;
  return {
    /** Profiles of all accounts. */
    profiles: (): Iterable<ProfileSettings> => [...accountLists.values()].flatMap(({ profiles }) => profiles),
    /** Custom lists and profiles of each account. */
    lists: (): Iterable<AccountLists> => accountLists.values(),
    /** Whether the last update came from the store and not from the snapshot. */
    isFromStore: (): boolean => isFromStore,
    stop,
  };
}

function toDirectoryAccount(account: FeedAccount): DirectoryAccount {
  const { customLists: _, ...update } = account;
  return update;
}

/** All accounts as the resolver needs them, from one point in time. */
export async function* allAccountsIn(store: AllAccounts, plans: Plans) {
  for await (const snapshots of store.allAccounts()) yield snapshots.map((each) => directoryAccount(each, plans));
}

const directoryAccount = ({ account, ...belongings }: AccountSnapshot, plans: Plans): FeedAccount => ({
  id: account.id,
  timeZone: account.timeZone,
  logEnabled: account.logEnabled,
  isSuspended: account.isSuspended,
  limits: limitsOf(account, plans),
  ...belongings,
});

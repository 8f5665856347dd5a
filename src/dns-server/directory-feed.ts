import { limitsOf, type Plans } from '../domain/account-limits.ts';
import type { AccountTexts } from '../domain/account-texts.ts';
import type { Device } from '../domain/device.ts';
import type { AccountId } from '../domain/ids.ts';
import type { AccountSnapshot, ChangedAccounts, ChangeListener } from '../domain/repositories.ts';
import { createListsInUse, type ListsInUse } from '../filter-lists/lists-in-use.ts';
import { forEachLimit } from '../kit/concurrency.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { HAS_REGEX_RULES, readIndex } from '../resolver/identity/account-block.ts';
import type { ProfileTables } from '../resolver/identity/client-updates.ts';
import type { DirectoryAccount, DirectoryDevice } from '../resolver/identity/directory.ts';
import { type FeedBlock, useIn } from './account-blocks.ts';
import type { AccountTables } from './account-tables.ts';
import { blocksOfStore } from './blocks-of-store.ts';
import type { SnapshotBlock } from './directory-snapshot.ts';
import { type FeedAccount, toDirectoryAccount } from './feed-account.ts';

const AGAIN_MS = 1000;
/** Accounts that are read at once: each read takes a connection to the database. */
const READS_AT_ONCE = 8;
const ALL = 'all accounts';
const NONE: ReadonlySet<string> = new Set();

/** Accounts of the store or of a controller. */
export type DirectorySource = {
  readonly allAccounts: () => AsyncGenerator<FeedBlock>;
  readonly account: (id: AccountId) => Promise<FeedAccount | undefined>;
  readonly onCommit: (listener: ChangeListener, name?: string) => () => void;
};

export type AccountsUpdate = {
  readonly accounts: readonly DirectoryAccount[];
  readonly removed: readonly string[];
  readonly ruleTables: ReadonlyMap<string, ProfileTables>;
};

/** Accounts of the last run, with which queries are answered before the source is read. */
export type LastKnown = {
  readonly blocks: () => AsyncIterable<SnapshotBlock>;
  /**
   * `replaced`: all accounts are read when the source notifies for the first time. `reported`: the source then notifies of the changes since.
   * Otherwise a function that reads the changed accounts, called at the start.
   */
  readonly changes: 'replaced' | 'reported' | (() => Promise<ChangedAccounts>);
};

export type FeedDeps = {
  readonly source: DirectorySource;
  /** Undefined: all accounts are read from the source. */
  readonly lastKnown: LastKnown | undefined;
  readonly ruleTables: AccountTables;
  /** Resolves when the next query uses it. */
  readonly send: (update: AccountsUpdate) => Promise<void>;
  /** The same for the accounts of a block, without those that are skipped. */
  readonly sendBlock: (block: FeedBlock, skipped: ReadonlySet<string>) => Promise<void>;
  /** Called after an update from the store. */
  readonly onSent: (sent: SentAccounts) => void;
};

export type SentAccounts = {
  readonly accounts: 'all' | readonly FeedAccount[];
  readonly removed: readonly string[];
  /** Whether the set of lists in use is another one than after the last update. */
  readonly haveListsChanged: boolean;
};

export type DirectoryFeed = Awaited<ReturnType<typeof openDirectoryFeed>>;

/** Sends all accounts to the answering threads at start, and every changed account before its change counts as applied. */
export async function openDirectoryFeed({ source, lastKnown, ruleTables, send, sendBlock, onSent }: FeedDeps) {
  const lists = createListsInUse();
  let haveListsChanged = true;
  let isFromStore = lastKnown === undefined || typeof lastKnown.changes === 'function';
  let isStarted = false;

  const turn = keyedMutex();

  const sendUpdate = async (
    accounts: readonly FeedAccount[],
    removed: readonly string[],
    tables: ReadonlyMap<string, ProfileTables> = new Map(),
  ): Promise<void> => {
    await send({ accounts: accounts.map(toDirectoryAccount), removed, ruleTables: tables });
    for (const { id, profiles, customLists } of accounts) {
      const isOther = lists.replace({ id, customLists, profiles: profiles.map(({ settings }) => settings) });
      haveListsChanged ||= isOther;
    }
    for (const id of removed) {
      const isOther = lists.remove(id);
      haveListsChanged ||= isOther;
      ruleTables.forget(id);
    }
  };

  /** Returns the accounts whose rules must be compiled. */
  const sendMany = async ({ block, outdated }: SnapshotBlock, changed = NONE): Promise<AccountId[]> => {
    const all = readIndex(block);
    const isSkipped = (id: string): boolean => outdated.has(id) || changed.has(id) || newer.has(id);
    await sendBlock(block, new Set(all.map(({ id }) => id).filter(isSkipped)));
    const heavy: AccountId[] = [];
    for (const account of all) {
      // A later version of the account may have been sent meanwhile.
      if (isSkipped(account.id)) continue;
      if (lists.replaceUse(account.id, useIn(block, account))) haveListsChanged = true;
      if (account.flags & HAS_REGEX_RULES) heavy.push(account.id as AccountId);
    }
    return heavy;
  };

  const report = (accounts: SentAccounts['accounts'], removed: readonly string[] = []): void => {
    onSent({ accounts, removed, haveListsChanged });
    haveListsChanged = false;
  };

  const sendingOne = new Set<Promise<void>>();
  /** Accounts that were sent since all accounts were read. */
  const newer = new Set<string>();

  /** Sequential per account: a slow update must not overwrite a later one. */
  const sendOne = (id: AccountId): Promise<void> => {
    newer.add(id);
    const sent = turn(id, async () => {
      const account = await source.account(id);
      if (!account) {
        await sendUpdate([], [id]);
        return report([], [id]);
      }
      await sendUpdate([account], [], await ruleTables.of(account));
      report([account]);
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
    const gone = new Set(lists.accounts());
    let isEmpty = true;
    const heavy: AccountId[] = [];
    for await (const block of source.allAccounts()) {
      isEmpty = false;
      for (const { id } of readIndex(block)) gone.delete(id);
      heavy.push(...(await sendMany({ block, outdated: NONE })));
    }
    await prepareTables(heavy);
    // The database may be empty because a damaged one was replaced and its backup is not restored yet.
    if (isEmpty && !isFromStore) return;
    isFromStore = true;
    await sendUpdate(
      [],
      [...gone].filter((id) => !newer.has(id)),
    );
    report('all');
  };

  /** Expressions beyond a limit are skipped until their tables are built: the start does not wait for them. */
  const prepareTables = async (heavy: readonly AccountId[]): Promise<void> => {
    const prepared = Promise.all(heavy.map(sendOne));
    if (isStarted) await prepared;
    else prepared.catch(() => setTimeout(() => void sendAll().catch(() => undefined), AGAIN_MS).unref());
  };

  const sendChanged = async (changed: ReadonlySet<AccountId>): Promise<void> => {
    await forEachLimit(READS_AT_ONCE, changed, sendOne);
    isFromStore = true;
  };

  const sendLastKnown = ({ blocks, changes }: LastKnown): Promise<void> =>
    turn(ALL, async () => {
      const changed = typeof changes === 'function' ? await changes() : new Set<AccountId>();
      if (changed === 'all') return sendAllNow();
      const heavy: AccountId[] = [];
      for await (const some of blocks()) heavy.push(...(await sendMany(some, changed)));
      // The source cannot be read while the last known accounts are in use.
      if (changes !== 'replaced') await prepareTables(heavy);
      if (typeof changes === 'function') await sendChanged(changed);
    });

  const stop = source.onCommit(
    (changed) =>
      changed === 'all' || (!isFromStore && lastKnown?.changes === 'replaced') ? sendAll() : sendChanged(changed),
    'the resolver',
  );
  await (lastKnown ? sendLastKnown(lastKnown) : sendAll());
  isStarted = true;
  return {
    /** The lists that the accounts use. */
    lists: lists as Pick<ListsInUse, 'inUse' | 'custom' | 'isCustomList'>,
    /** Whether the last update came from the store and not from the snapshot. */
    isFromStore: (): boolean => isFromStore,
    stop,
  };
}

type AccountStore = Pick<DirectorySource, 'onCommit'> & {
  readonly allAccounts: () => AsyncGenerator<readonly AccountTexts[]>;
  readonly snapshot: (account: AccountId) => Promise<AccountSnapshot | undefined>;
};

/** The accounts of the store as the resolver needs them. `allAccounts` reads them at one point in time. */
export const storeSource = (store: AccountStore, plans: Plans): DirectorySource => ({
  allAccounts: () => blocksOfStore(store.allAccounts(), (account) => limitsOf(account, plans)),
  async account(id) {
    const snapshot = await store.snapshot(id);
    return snapshot && directoryAccount(snapshot, plans);
  },
  onCommit: store.onCommit,
});

const directoryAccount = ({ account, devices, ...belongings }: AccountSnapshot, plans: Plans): FeedAccount => ({
  id: account.id,
  timeZone: account.timeZone,
  logEnabled: account.logEnabled,
  isSuspended: account.isSuspended,
  limits: limitsOf(account, plans),
  devices: devices.map(directoryDevice),
  ...belongings,
});

/** Without the members that the resolver does not need: there may be a million devices. */
const directoryDevice = (device: Device): DirectoryDevice => ({
  id: device.id,
  profile: device.profile,
  name: device.name,
  type: device.type,
  tags: device.tags.length > 0 ? device.tags : undefined,
  protectionEnabled: device.protectionEnabled,
  pausedUntil: device.pausedUntil,
  dohAuthOnly: device.dohAuthOnly,
  dohPassword: device.dohPassword,
  humanId: device.humanId,
  linkedIp: device.linkedIp,
  pendingIp: device.pendingIp,
  // For the proof of the pending address.
  linkToken: device.pendingIp === undefined ? undefined : device.linkToken,
  addressSuffix: device.addressSuffix,
});

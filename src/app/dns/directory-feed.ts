import type { AccountId } from '../../domain/ids.ts';
import { limitsOf, type Plans } from '../../domain/limits.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import type { DirectoryAccount } from '../../resolver/directory.ts';
import type { Store } from '../../store/store.ts';

type Snapshot = NonNullable<Awaited<ReturnType<Store['snapshot']>>>;

type Told = { readonly accounts: readonly DirectoryAccount[]; readonly removed: readonly string[] };

export type FeedDeps = {
  readonly store: Pick<Store, 'everyone' | 'snapshot' | 'onCommit'>;
  readonly plans: Plans;
  /** Resolves when the next query obeys. */
  readonly tell: (told: Told) => Promise<void>;
  /** After lists may have come into use or gone out of it. */
  readonly onLists: () => void;
};

/** Keeps those who answer told of all accounts: everybody once, and from then on whoever changes, before the change counts as done. */
export async function openDirectoryFeed({ store, plans, tell, onLists }: FeedDeps) {
  const settings = new Map<string, readonly ProfileSettings[]>();

  const toDirectory = ({ account, profiles, devices, dedicated }: Snapshot): DirectoryAccount => ({
    id: account.id,
    timeZone: account.timeZone,
    logEnabled: account.logEnabled,
    isSuspended: account.isSuspended,
    limits: limitsOf(account, plans),
    profiles,
    devices,
    dedicated,
  });

  const pass = async (snapshots: readonly Snapshot[], removed: readonly string[]): Promise<void> => {
    await tell({ accounts: snapshots.map(toDirectory), removed });
    for (const { account, profiles } of snapshots)
      settings.set(
        account.id,
        profiles.map((profile) => profile.settings),
      );
    for (const id of removed) settings.delete(id);
  };

  const tellEverybody = async (): Promise<void> => {
    const gone = new Set(settings.keys());
    for await (const snapshots of store.everyone()) {
      for (const { account } of snapshots) gone.delete(account.id);
      await pass(snapshots, []);
    }
    await pass([], [...gone]);
    onLists();
  };

  const tellOf = async (ids: Iterable<AccountId>): Promise<void> => {
    const found = await Promise.all(Array.from(ids, async (id) => ({ id, snapshot: await store.snapshot(id) })));
    await pass(
      found.flatMap(({ snapshot }) => snapshot ?? []),
      found.filter(({ snapshot }) => !snapshot).map(({ id }) => id),
    );
    onLists();
  };

  const stop = store.onCommit((changed) => (changed === 'all' ? tellEverybody() : tellOf(changed)));
  await tellEverybody();
  return {
    /** Of all profiles of all accounts. */
    profiles: (): Iterable<ProfileSettings> => [...settings.values()].flat(),
    stop,
  };
}

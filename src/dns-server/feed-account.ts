import type { CustomList } from '../domain/custom-list.ts';
import { storedSettings } from '../domain/default-settings.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';

/** With the data that only the main thread needs. */
export type FeedAccount = DirectoryAccount & { readonly customLists: readonly CustomList[] };

export function toDirectoryAccount(account: FeedAccount): DirectoryAccount {
  const { customLists: _, ...update } = account;
  return update;
}

/** An account read from JSON. Snapshots of older versions lack settings that were added since. */
export const withDefaults = (account: FeedAccount): FeedAccount => ({
  ...account,
  profiles: account.profiles.map((profile) => ({ ...profile, settings: storedSettings(profile.settings) })),
});

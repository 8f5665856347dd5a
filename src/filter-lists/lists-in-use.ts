import { type AccountLists, customListsInUse } from './custom-lists.ts';
import { type InUse, listsInUse, type SafetyKind, type WantedList } from './list-request.ts';

/** The lists that an account uses. */
export type AccountUse = {
  readonly filterLists: readonly string[];
  readonly safety: readonly SafetyKind[];
  readonly custom: readonly WantedList[];
  /** All custom lists of the account, in use or not. */
  readonly customIds: readonly string[];
};

export type ListsInUse = ReturnType<typeof createListsInUse>;

/** Counts the accounts that use each list, so that the cost of a change depends only on the account that changed. */
export function createListsInUse() {
  const accounts = new Map<string, AccountUse>();
  const filterLists = counter<string>();
  const safety = counter<SafetyKind>();
  const customIds = counter<string>();
  const custom = new Map<string, readonly WantedList[]>();

  const replace = (id: string, use: AccountUse | undefined): boolean => {
    const before = accounts.get(id);
    if (use) accounts.set(id, use);
    else accounts.delete(id);
    if (use && use.custom.length > 0) custom.set(id, use.custom);
    else custom.delete(id);
    const changes = [
      filterLists.replace(before?.filterLists, use?.filterLists),
      safety.replace(before?.safety, use?.safety),
      customIds.replace(before?.customIds, use?.customIds),
      sourcesOf(before) !== sourcesOf(use),
    ];
    return changes.includes(true);
  };

  return {
    /** True if the lists in use have changed. */
    replace: (account: AccountLists): boolean => replace(account.id, useOf(account)),
    replaceUse: replace,
    /** True if the lists in use have changed. */
    remove: (id: string): boolean => replace(id, undefined),
    accounts: (): Iterable<string> => accounts.keys(),
    inUse: (): InUse => ({ filterLists: filterLists.counted(), safety: safety.counted() }),
    custom: (): readonly WantedList[] => [...custom.values()].flat(),
    isCustomList: customIds.has,
  };
}

export function useOf(account: AccountLists): AccountUse {
  const { filterLists, safety } = listsInUse(account.profiles);
  return {
    filterLists: [...filterLists],
    safety: [...safety],
    custom: customListsInUse(account),
    customIds: account.customLists.map(({ id }) => id),
  };
}

const sourcesOf = (use: AccountUse | undefined): string =>
  use?.custom.map(({ id, source }) => `${id} ${source}`).join('\n') ?? '';

function counter<Key>() {
  const counts = new Map<Key, number>();
  return {
    /** True if a key was counted for the first time, or is not counted any more. */
    replace(before: readonly Key[] = [], after: readonly Key[] = []): boolean {
      let hasChanged = false;
      for (const key of after) {
        const count = counts.get(key) ?? 0;
        hasChanged ||= count === 0;
        counts.set(key, count + 1);
      }
      for (const key of before) {
        const count = counts.get(key)! - 1;
        hasChanged ||= count === 0;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
      return hasChanged;
    },
    has: (key: Key): boolean => counts.has(key),
    counted: (): ReadonlySet<Key> => new Set(counts.keys()),
  };
}

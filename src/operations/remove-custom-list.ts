import { changed } from '../domain/audit.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import type { Profile, Switched } from '../domain/profile.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import type { Clock, Sha256 } from './deps.ts';
import { putRemoved, takeRemoved } from './removed-items.ts';

type Use = { readonly profile: ProfileId; readonly enabled: boolean };
type Removed = { readonly list: CustomList; readonly uses: readonly Use[] };
type Restored = Result<{ readonly list: CustomList; readonly audit: AuditNote }, DomainError | Conflict>;

const withCustomLists = (profile: Profile, customLists: readonly Switched[]): Profile => ({
  ...profile,
  settings: { ...profile.settings, own: { ...profile.settings.own, customLists } },
});

/** Removes a list from the account and from its profiles, and stores what `restoreCustomList` needs. */
export async function removeCustomList(tx: Transaction, deps: Clock & Sha256, list: CustomList): Promise<AuditNote> {
  const { account, id } = list;
  const uses: Use[] = [];
  for (const profile of await tx.profiles.list(account)) {
    const { customLists } = profile.settings.own;
    const use = customLists.find((chosen) => chosen.id === id);
    if (!use) continue;
    uses.push({ profile: profile.id, enabled: use.enabled });
    const others = customLists.filter((chosen) => chosen.id !== id);
    await tx.profiles.update(withCustomLists(profile, others));
  }
  await putRemoved(tx, deps, { what: 'custom list', account, id }, { list, uses } satisfies Removed);
  await tx.customLists.remove(account, id);
  return { action: 'custom_list.remove', subject: id, ...changed(list, undefined) };
}

/** Restores the list, also in the profiles that used it, unless they were removed meanwhile. */
export async function restoreCustomList(
  tx: Transaction,
  deps: Clock & Sha256 & { readonly maxCustomLists: number },
  account: AccountId,
  id: string,
): Promise<Restored> {
  const removed = (await takeRemoved(tx, deps, { what: 'custom list', account, id })) as Removed | undefined;
  if (!removed) return err({ kind: 'not found', what: 'custom list' });
  const { list, uses } = removed;
  const { maxCustomLists: limit } = deps;
  if ((await tx.customLists.list(account)).length >= limit)
    return err({ kind: 'limit reached', what: 'customLists', limit });
  const added = await tx.customLists.add(list);
  if (!added.ok) return err(added.error);
  for (const { profile: used, enabled } of uses) {
    const profile = await tx.profiles.find(account, used);
    if (profile)
      await tx.profiles.update(withCustomLists(profile, [...profile.settings.own.customLists, { id, enabled }]));
  }
  return ok({ list, audit: { action: 'custom_list.restore', subject: id, ...changed(undefined, list) } });
}

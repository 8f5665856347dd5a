import type { Plans } from '../domain/account-limits.ts';
import { changed } from '../domain/audit.ts';
import type { DomainError } from '../domain/domain-error.ts';
import { type ForwardRule, MAX_FORWARD_RULES } from '../domain/forward-rules.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import { type LocalRecord, MAX_LOCAL_RECORDS } from '../domain/local-records.ts';
import type { Profile } from '../domain/profile.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import type { Clock, Sha256 } from './deps.ts';
import { limitsFor } from './find-account.ts';
import { putRemoved, takeRemoved } from './removed-items.ts';

type Removed = {
  readonly profile: Profile;
  readonly devices: readonly DeviceId[];
  readonly networks: readonly string[];
  readonly records: readonly LocalRecord[];
  readonly forwardRules: readonly ForwardRule[];
};
type Restored = Result<{ readonly profile: Profile; readonly audit: AuditNote }, DomainError | Conflict>;

/** Removes a profile of the transaction's store, and stores what `restoreProfile` needs. */
export async function deleteProfile(tx: Transaction, deps: Clock & Sha256, profile: Profile): Promise<AuditNote> {
  const { account, id } = profile;
  const isOfProfile = (item: { readonly profile?: ProfileId | undefined }): boolean => item.profile === id;
  const content: Removed = {
    profile,
    devices: (await tx.devices.list(account, { profile: id })).map((device) => device.id),
    networks: (await tx.clientNetworks.list(account)).filter(isOfProfile).map(({ network }) => network),
    records: (await tx.localRecords.list(account)).filter(isOfProfile),
    forwardRules: (await tx.forwardRules.list(account)).filter(isOfProfile),
  };
  await putRemoved(tx, deps, { what: 'profile', account, id }, content);
  await tx.profiles.remove(account, id);
  return { action: 'dns_server.remove', subject: id, ...changed(profile, undefined) };
}

/** Restores the profile with its records, and with those of its devices and networks that the default profile still has. */
export async function restoreProfile(
  tx: Transaction,
  deps: Clock & Sha256 & { readonly plans: Plans },
  account: AccountId,
  id: ProfileId,
): Promise<Restored> {
  const removed = (await takeRemoved(tx, deps, { what: 'profile', account, id })) as Removed | undefined;
  if (!removed) return err({ kind: 'not found', what: 'DNS server' });
  const { profile, devices, networks, records, forwardRules } = removed;
  const added = await tx.profiles.restore(profile, { devices, networks });
  if (!added.ok) return err(added.error);
  await tx.localRecords.add(account, records);
  for (const rule of forwardRules) await tx.forwardRules.add(rule);
  const exceeded = await exceededLimit(tx, deps, account);
  if (exceeded) return err(exceeded);
  return ok({ profile, audit: { action: 'dns_server.restore', subject: id, ...changed(undefined, profile) } });
}

/** The quota may have been used up meanwhile. */
async function exceededLimit(
  tx: Transaction,
  deps: { readonly plans: Plans },
  account: AccountId,
): Promise<DomainError | undefined> {
  const limits = await limitsFor(tx, account, deps);
  const used = await tx.accounts.counts(account);
  for (const what of ['dnsServers', 'userRules', 'accessRules'] as const)
    if (used[what] > limits[what]) return { kind: 'limit reached', what, limit: limits[what] };
  if ((await tx.localRecords.list(account)).length > MAX_LOCAL_RECORDS)
    return { kind: 'limit reached', what: 'localRecords', limit: MAX_LOCAL_RECORDS };
  if ((await tx.forwardRules.list(account)).length > MAX_FORWARD_RULES)
    return { kind: 'limit reached', what: 'forwardRules', limit: MAX_FORWARD_RULES };
  return undefined;
}

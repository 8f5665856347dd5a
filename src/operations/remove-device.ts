import type { Plans } from '../domain/account-limits.ts';
import { changed } from '../domain/audit.ts';
import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import type { Device } from '../domain/device.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { AccountId, DeviceId } from '../domain/ids.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import type { Clock, Sha256 } from './deps.ts';
import { limitsFor } from './find-account.ts';
import { putRemoved, takeRemoved } from './removed-items.ts';

type Removed = {
  readonly device: Device;
  readonly identifiers: readonly ClientIdentifier[];
  readonly dedicated: readonly string[];
};
type Restored = Result<{ readonly device: Device; readonly audit: AuditNote }, DomainError | Conflict>;

/** Removes a device of the transaction's store, and stores what `restoreDevice` needs. */
export async function removeDevice(tx: Transaction, deps: Clock & Sha256, device: Device): Promise<AuditNote> {
  const { account, id } = device;
  const content: Removed = {
    device,
    identifiers: await tx.deviceIdentifiers.ofDevice(account, id),
    dedicated: await tx.dedicated.ofDevice(account, id),
  };
  await putRemoved(tx, deps, { what: 'device', account, id }, content);
  await tx.devices.remove(account, id);
  return { action: 'device.remove', subject: id, ...changed(device, undefined) };
}

/** Restores the device with its id, addresses and identifiers, except those that another device has now. */
export async function restoreDevice(
  tx: Transaction,
  deps: Clock & Sha256 & { readonly plans: Plans },
  account: AccountId,
  id: DeviceId,
): Promise<Restored> {
  const removed = (await takeRemoved(tx, deps, { what: 'device', account, id })) as Removed | undefined;
  if (!removed) return err({ kind: 'not found', what: 'device' });
  const { devices: limit } = await limitsFor(tx, account, deps);
  const { devices: used } = await tx.accounts.counts(account);
  if (used >= limit) return err({ kind: 'limit reached', what: 'devices', limit });
  const { device: before, identifiers, dedicated } = removed;
  const profile = (await tx.profiles.find(account, before.profile)) ?? (await tx.profiles.default(account));
  if (!profile) return err({ kind: 'not found', what: 'device' });
  const device = await withoutTaken(tx, { ...before, profile: profile.id });
  const added = await tx.devices.restore(device);
  if (!added.ok) return err(added.error);
  const holders = new Set(
    (await tx.deviceIdentifiers.holders(identifiers.map(({ value }) => value))).map(({ value }) => value),
  );
  const replaced = await tx.deviceIdentifiers.replace(
    account,
    id,
    identifiers.filter(({ value }) => !holders.has(value)),
  );
  if (!replaced.ok) return err(replaced.error);
  // False if the address was released or linked to another device meanwhile.
  for (const ip of dedicated) await tx.dedicated.link(account, ip, id);
  return ok({ device, audit: { action: 'device.restore', subject: id, ...changed(undefined, device) } });
}

async function withoutTaken(tx: Transaction, device: Device): Promise<Device> {
  const { account, profile, linkedIp, humanId } = device;
  const isLinked = linkedIp !== undefined && (await tx.devices.linkedTo(linkedIp)) !== undefined;
  const isNamed = humanId !== undefined && (await tx.devices.findByHumanId(account, profile, humanId)) !== undefined;
  return { ...device, linkedIp: isLinked ? undefined : linkedIp, humanId: isNamed ? undefined : humanId };
}

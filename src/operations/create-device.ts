import type { Plans } from '../domain/account-limits.ts';
import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import {
  type DeviceQuota,
  type NewDevice,
  type NewDeviceContext,
  newDevice,
  newSelfRegisteredDevice,
  RANDOM_BYTES_OF_DEVICE,
} from '../domain/device-rules.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { HumanId } from '../domain/human-id.ts';
import { type AccountId, parseProfileId } from '../domain/ids.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type AuditNote, auditEntry } from './audit-entry.ts';
import type { Clock, Random, Transactions } from './deps.ts';
import { limitsFor } from './find-account.ts';

export type CreateDeviceDeps = Clock & Random & { readonly plans: Plans };
type Created = Result<{ readonly device: Device; readonly audit: AuditNote }, DomainError | Conflict>;
type Decide = (quota: DeviceQuota, context: NewDeviceContext) => Result<Device, DomainError>;

/** Call it in a transaction; the caller writes the returned audit note. */
export const createDevice = (
  tx: Transaction,
  deps: CreateDeviceDeps,
  account: AccountId,
  requested: NewDevice,
): Promise<Created> =>
  addDevice(tx, deps, { account, profile: requested.profile }, (quota, context) =>
    newDevice(quota, requested, context),
  );

/** Creates the device of a client that connects with a new human-readable id; false if that is not allowed or the limit is reached. */
export const registerDevice = (
  deps: CreateDeviceDeps & Transactions,
  accountId: AccountId,
  named: HumanId,
): Promise<boolean> =>
  deps.store.inTransaction(async (tx) => {
    const account = await tx.accounts.find(accountId);
    const profile = account && (await tx.profiles.find(accountId, named.profile));
    if (!account || account.isSuspended || !profile?.settings.autoConnectDevices) return false;
    const created = await addDevice(tx, deps, { account: accountId, profile: profile.id }, (quota, context) =>
      newSelfRegisteredDevice(quota, named, context),
    );
    if (!created.ok) return false;
    const author = { account: accountId, by: 'the device itself', from: undefined };
    await tx.audit.add(auditEntry(deps, author, created.value.audit));
    return true;
  });

async function addDevice(
  tx: Transaction,
  deps: CreateDeviceDeps,
  { account, profile }: { readonly account: AccountId; readonly profile: string },
  decide: Decide,
): Promise<Created> {
  const { devices: limit } = await limitsFor(tx, account, deps);
  const { devices: used } = await tx.accounts.counts(account);
  const profiles = await accountProfiles(tx, account, profile);
  const context = { account, random: deps.random(RANDOM_BYTES_OF_DEVICE), now: deps.now() };
  const device = decide({ used, limit, profiles }, context);
  if (!device.ok) return device;
  const added = await tx.devices.add(device.value);
  if (!added.ok) return err(added.error);
  const audit = { action: 'device.create', subject: device.value.id, ...changed(undefined, device.value) };
  return ok({ device: device.value, audit });
}

/** The requested profile if it belongs to the account: those of other accounts do not exist for it. */
export async function accountProfiles(tx: Transaction, account: AccountId, requested: string | undefined) {
  const id = requested === undefined ? undefined : parseProfileId(requested);
  const profile = id && (await tx.profiles.find(account, id));
  return new Set(profile ? [profile.id] : []);
}

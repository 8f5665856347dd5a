import { newId } from '../api/new-secrets.ts';
import { limitsOf, type Plans } from '../domain/account-limits.ts';
import { changed } from '../domain/audit.ts';
import { createOwnDevice, RANDOM_BYTES_OF_DEVICE } from '../domain/device-rules.ts';
import type { HumanId } from '../domain/human-id.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Store } from '../store/store.ts';

export type MakeDeviceDeps = {
  readonly store: Pick<Store, 'inTransaction'>;
  readonly plans: Plans;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
};

/** Makes the device of one who connected under a name of his own; false where that is not wanted, or there is no room. */
export async function makeDevice(deps: MakeDeviceDeps, accountId: AccountId, named: HumanId): Promise<boolean> {
  const { store, plans, now, random } = deps;
  return store.inTransaction(async (tx) => {
    const account = await tx.accounts.find(accountId);
    const profile = account && (await tx.profiles.find(accountId, named.profile));
    if (!account || account.isSuspended || !profile?.settings.autoConnectDevices) return false;
    const { devices: used } = await tx.accounts.counts(accountId);
    const room = { used, limit: limitsOf(account, plans).devices, profiles: new Set([profile.id]) };
    const birth = { account: accountId, random: random(RANDOM_BYTES_OF_DEVICE), now: now() };
    const device = createOwnDevice(room, named, birth);
    if (!device.ok || !(await tx.devices.add(device.value)).ok) return false;
    await tx.audit.add({
      id: newId({ random }),
      account: accountId,
      at: now(),
      by: 'the device itself',
      from: undefined,
      action: 'device.create',
      subject: device.value.id,
      ...changed(undefined, device.value),
    });
    return true;
  });
}

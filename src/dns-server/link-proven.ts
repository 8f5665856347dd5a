import { type LinkDeps, linkDevice } from '../api/link-device.ts';
import { auditEntry } from '../api/write.ts';
import type { PendingLink } from '../resolver/identity/directory.ts';
import type { Store } from '../store/store.ts';

export type LinkProvenDeps = LinkDeps & { readonly store: Pick<Store, 'inTransaction'> };

/** Links the pending address of a device, after a query for its proof name came from there; false if it is pending no more. */
export const linkProven = (deps: LinkProvenDeps, { account, device: id, address }: PendingLink): Promise<boolean> =>
  deps.store.inTransaction(async (tx) => {
    const device = await tx.devices.find(account, id);
    if (device?.pendingIp !== address || (await tx.accounts.find(account))?.isSuspended !== false) return false;
    const linked = await linkDevice(tx, deps, device, { kind: 'client' }, address);
    if (!linked.ok) return false;
    const author = { account, by: 'a DNS query from the address', from: address };
    await tx.audit.add(auditEntry(deps, author, linked.value.audit));
    return true;
  });

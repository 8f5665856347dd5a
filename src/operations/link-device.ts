import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { AccountId, DeviceId } from '../domain/ids.ts';
import {
  type LinkPrivateAddress,
  linkClient,
  linkName,
  linkTyped,
  loseAddress,
  privateRule,
  sameSpelling,
  type TakenBy,
} from '../domain/linked-address.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type AuditNote, auditEntry } from './audit-entry.ts';
import type { Clock, Random, Transactions } from './deps.ts';
import { transact } from './transact.ts';

/** The source of the address. The address behind a name is looked up by the caller. */
export type LinkTo =
  | { readonly kind: 'typed'; readonly ip: string }
  /** The address that the request, or the DNS query, came from. */
  | { readonly kind: 'client' }
  | { readonly kind: 'name'; readonly name: string; readonly ip: string | undefined };

type Linked = { readonly device: Device; readonly audit: AuditNote };
export type LinkDeps = Clock & Random & { readonly linkPrivateAddress: LinkPrivateAddress };

/** In a transaction that an error rolls back: links the address, or stores it as pending until it is proven. `client` is the address of the request. */
export async function linkDevice(
  tx: Transaction,
  deps: LinkDeps,
  device: Device,
  to: LinkTo,
  client: string,
): Promise<Result<Linked, DomainError | Conflict>> {
  const from = sameSpelling(client);
  const ip = to.kind === 'client' ? from : to.ip === undefined ? undefined : sameSpelling(to.ip);
  // Checked first, because PostgreSQL rejects some texts that are not addresses.
  const takenBy = ip !== undefined && parseIp(ip) ? await tx.devices.linkedTo(ip) : undefined;
  const rule = privateRule(deps.linkPrivateAddress, await tx.accounts.count());
  const claim = ip === undefined ? undefined : { ip, isProven: ip === from, takenBy, privateRule: rule };
  const linked =
    to.kind === 'name'
      ? linkName(device, to.name, claim)
      : to.kind === 'typed'
        ? linkTyped(device, claim!)
        : linkClient(device, claim!);
  if (!linked.ok) return linked;
  const isMoved = takenBy !== undefined && takenBy.id !== device.id && linked.value.linkedIp === ip;
  if (isMoved) await unlinkPrevious(tx, deps, takenBy, device);
  const updated = await tx.devices.update(linked.value);
  if (!updated.ok) return updated;
  const takenFrom = isMoved && takenBy.account === device.account ? { takenFrom: takenBy.id } : {};
  const { before, after } = changed(device, { ...linked.value, ...takenFrom });
  return ok({ device: linked.value, audit: { action: 'device.link', subject: device.id, before, after } });
}

/** Each audit log contains only the device of its own account, so that neither account learns about the other. */
async function unlinkPrevious(
  tx: Transaction,
  deps: LinkDeps,
  takenBy: NonNullable<TakenBy>,
  by: Device,
): Promise<void> {
  const other = await tx.devices.find(takenBy.account, takenBy.id);
  if (!other) return;
  const after = loseAddress(other, by);
  await tx.devices.update(after);
  if (other.account === by.account) return;
  const note = { action: 'device.unlink', subject: other.id, ...changed(other, after) };
  const author = { account: other.account, by: 'a newer proof of the address', from: undefined };
  await tx.audit.add(auditEntry(deps, author, note));
}

export type PendingLink = { readonly account: AccountId; readonly device: DeviceId; readonly address: string };

/** Links a pending address after it has sent a DNS query for its proof name; returns false if another address is pending or the account is suspended. */
export async function linkProvenAddress(
  deps: LinkDeps & Transactions,
  { account, device: id, address }: PendingLink,
): Promise<boolean> {
  const linked = await transact(deps.store, async (tx): Promise<Result<Linked, DomainError | Conflict>> => {
    const device = await tx.devices.find(account, id);
    if (device?.pendingIp !== address || (await tx.accounts.find(account))?.isSuspended !== false)
      return err({ kind: 'not found', what: 'pending address' });
    const result = await linkDevice(tx, deps, device, { kind: 'client' }, address);
    if (!result.ok) return result;
    const author = { account, by: 'a DNS query from the address', from: address };
    await tx.audit.add(auditEntry(deps, author, result.value.audit));
    return result;
  });
  return linked.ok;
}

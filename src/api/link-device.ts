import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import {
  linkClient,
  linkName,
  linkTyped,
  loseAddress,
  privateRule,
  sameSpelling,
  type TakenBy,
} from '../domain/linked-address.ts';
import { ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import type { AuditNote } from './operation.ts';
import type { Writing } from './store-deps.ts';
import { auditEntry } from './write.ts';

/** Where the address of a device is to come from; the address behind a name was looked up before. */
export type LinkTo =
  | { readonly kind: 'typed'; readonly ip: string }
  /** The address that the request, or the DNS query, came from. */
  | { readonly kind: 'client' }
  | { readonly kind: 'name'; readonly name: string; readonly ip: string | undefined };

export type Linked = { readonly device: Device; readonly audit: AuditNote };
export type LinkDeps = Pick<Deps, 'now' | 'random' | 'linkPrivateAddress'>;

/** In a transaction: links, or stores the claim until it is proven. `client` is the address that this comes from. */
export async function linkDevice(
  store: Writing,
  deps: LinkDeps,
  device: Device,
  to: LinkTo,
  client: string,
): Promise<Result<Linked, Refusal>> {
  const from = sameSpelling(client);
  const ip = to.kind === 'client' ? from : to.ip === undefined ? undefined : sameSpelling(to.ip);
  const takenBy = ip === undefined ? undefined : await store.devices.linkedTo(ip);
  const rule = privateRule(deps.linkPrivateAddress, await store.accounts.count());
  const claim = ip === undefined ? undefined : { ip, isProven: ip === from, takenBy, privateRule: rule };
  const linked =
    to.kind === 'name'
      ? linkName(device, to.name, claim)
      : to.kind === 'typed'
        ? linkTyped(device, claim!)
        : linkClient(device, claim!);
  if (!linked.ok) return linked;
  const isMoved = takenBy !== undefined && takenBy.id !== device.id && linked.value.linkedIp === ip;
  if (isMoved) await displace(store, deps, takenBy, device);
  const updated = await store.devices.update(linked.value);
  if (!updated.ok) return updated;
  const takenFrom = isMoved && takenBy.account === device.account ? { takenFrom: takenBy.id } : {};
  const { before, after } = changed(device, { ...linked.value, ...takenFrom });
  return ok({ device: linked.value, audit: { action: 'device.link', subject: device.id, before, after } });
}

/** Neither account learns of the other: the audit of each names its own device alone. */
async function displace(store: Writing, deps: LinkDeps, takenBy: NonNullable<TakenBy>, by: Device): Promise<void> {
  const other = await store.devices.find(takenBy.account, takenBy.id);
  if (!other) return;
  const after = loseAddress(other, by);
  await store.devices.update(after);
  if (other.account === by.account) return;
  const note = { action: 'device.unlink', subject: other.id, ...changed(other, after) };
  const author = { account: other.account, by: 'a newer proof of the address', from: '' };
  await store.audit.add({ ...auditEntry(deps, author, note), from: undefined });
}

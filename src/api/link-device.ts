import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import { type Found, linkAddress, linkName, loseAddress } from '../domain/linked-address.ts';
import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';
import { ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './operation.ts';
import type { Refusal } from './problems.ts';
import type { Writing } from './store-deps.ts';

/** Where the address of a device is to come from; what is behind the name was looked up before. */
export type LinkTo =
  | { readonly kind: 'address'; readonly ip: string }
  | { readonly kind: 'name'; readonly name: string; readonly ip: string | undefined };

export type Linked = { readonly device: Device; readonly audit: AuditNote };

/** In a transaction: links, and unlinks the account's other device that had the address. */
export async function linkDevice(store: Writing, device: Device, to: LinkTo): Promise<Result<Linked, Refusal>> {
  const found = to.ip === undefined ? undefined : await foundAt(store, to.ip);
  const linked = to.kind === 'name' ? linkName(device, to.name, found) : linkAddress(device, to.ip, found?.takenBy);
  if (!linked.ok) return linked;
  const { takenBy } = found ?? {};
  if (takenBy && takenBy.id !== device.id) {
    const other = await store.devices.find(takenBy.account, takenBy.id);
    if (other) await store.devices.update(loseAddress(other));
  }
  const updated = await store.devices.update(linked.value);
  if (!updated.ok) return updated;
  const from = takenBy && takenBy.id !== device.id ? { takenFrom: takenBy.id } : {};
  const { before, after } = changed(device, { ...linked.value, ...from });
  return ok({ device: linked.value, audit: { action: 'device.link', subject: device.id, before, after } });
}

/** Addresses are kept in one spelling, and looked for in it. */
async function foundAt(store: Writing, text: string): Promise<Found> {
  const given = parseIp(text.trim());
  const ip = given ? formatIp(unmapped(given)) : text;
  return { ip, takenBy: given && (await store.devices.linkedTo(ip)) };
}

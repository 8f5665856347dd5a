import { formatIp, type IpAddress, parseIp, unmapped } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { isDomainName } from './catalogue/domain-name.ts';
import type { Device } from './device.ts';
import { bytesForLetters, lettersFrom } from './letters.ts';
import { invalid, type Problem } from './problem.ts';

// By a linked address plain DNS knows a device. It is set by the device's link, by its owner, or found again and again
// behind a name (DDNS).

export const LINK_TOKEN_LETTERS = 43;
export const RANDOM_BYTES_OF_LINK_TOKEN = bytesForLetters(LINK_TOKEN_LETTERS);

/** The device, of any account, that has the address already. */
export type TakenBy = Pick<Device, 'id' | 'account'> | undefined;

export const ADDRESS_TAKEN = 'this address is linked to a device of another account';

/**
 * Makes an address the device's own. Inside of an account the last wish counts, and whoever grants it unlinks the device that
 * had it before. An address that is set is no longer looked up.
 */
export function linkAddress(device: Device, address: string, takenBy: TakenBy): Result<Device, Problem> {
  const given = parseIp(address.trim());
  const ip = given && unmapped(given);
  if (!ip || !isOfOneHost(ip)) return err(invalid('ip', 'must be the IP address of one host'));
  // Two owners of one address would see each other's queries; only the first may give it up.
  if (takenBy && takenBy.account !== device.account) return err(invalid('ip', ADDRESS_TAKEN));
  return ok({ ...device, linkedIp: formatIp(ip), ddnsName: undefined });
}

export function parseDdnsName(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return isDomainName(name) ? name : undefined;
}

export type Found = { readonly ip: string; readonly takenBy: TakenBy };

/** From now on the device has whatever address is behind this name; `found` is what is there now, if anything is. */
export function linkName(device: Device, name: string, found: Found | undefined): Result<Device, Problem> {
  const ddnsName = parseDdnsName(name);
  if (ddnsName === undefined) return err(invalid('ddns', 'must be a domain name, as home.example.org'));
  if (!found) return ok({ ...device, ddnsName, linkedIp: undefined });
  const linked = linkAddress(device, found.ip, found.takenBy);
  if (!linked.ok) return err(invalid('ddns', found.takenBy ? ADDRESS_TAKEN : 'must lead to one host'));
  return ok({ ...linked.value, ddnsName });
}

/** What the name led to when it was looked up again. An address that another device has meanwhile is not taken from it. */
export function followName(device: Device, { ip, takenBy }: Found): Device {
  const isFree = takenBy === undefined || takenBy.id === device.id;
  const linked = isFree ? linkAddress(device, ip, undefined) : undefined;
  return { ...device, linkedIp: linked?.ok ? linked.value.linkedIp : undefined };
}

/** Nobody gets it back by an old link. */
export const unlinkAddress = (device: Device, random: Uint8Array): Device => ({
  ...loseAddress(device),
  linkToken: lettersFrom(random, LINK_TOKEN_LETTERS),
});

/** What becomes of a device whose address another one of the account has got. */
export const loseAddress = (device: Device): Device => ({ ...device, linkedIp: undefined, ddnsName: undefined });

/** Not unspecified, not multicast, not broadcast. */
function isOfOneHost({ family, bytes }: IpAddress): boolean {
  const first = bytes[0]!;
  return bytes.some((byte) => byte !== 0) && (family === 'V4' ? first > 0 && first < 224 : first !== 0xff);
}

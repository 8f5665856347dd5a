import { formatIp, type IpAddress, parseIp, unmapped } from '../kit/ip-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { bytesForLetters, lettersFrom } from './base-encoding.ts';
import { isDomainName } from './catalogue/domain-name.ts';
import type { Device } from './device.ts';
import { type DomainError, invalid } from './domain-error.ts';

// Plain DNS identifies a device by its linked address. Anyone can type in any address, or own a name that leads to it. A typed or looked-up
// address is therefore pending, and has no effect, until a client comes from it: the link is opened there, or a DNS query proves it
// (link-proof.ts). Several devices may have the same pending address; one device has it linked.

export const LINK_TOKEN_LETTERS = 43;
export const RANDOM_BYTES_OF_LINK_TOKEN = bytesForLetters(LINK_TOKEN_LETTERS);

/** The device, of any account, that has the address linked. */
export type TakenBy = Pick<Device, 'id' | 'account'> | undefined;

/** The operator's setting: `auto` allows private addresses while there is one account. */
export type LinkPrivateAddress = 'auto' | 'allow' | 'refuse';

type PrivateRule = 'refused' | 'after proof' | 'at once';

/** With one account a private address cannot be another tenant's, and needs no proof. */
export function privateRule(setting: LinkPrivateAddress, accounts: number): PrivateRule {
  if (setting === 'refuse') return 'refused';
  if (accounts <= 1) return 'at once';
  return setting === 'allow' ? 'after proof' : 'refused';
}

export type Claim = {
  readonly ip: string;
  /** Whether the request, or the DNS query, came from this address. */
  readonly isProven: boolean;
  readonly takenBy: TakenBy;
  readonly privateRule: PrivateRule;
};

type Claimed = { readonly ip: string; readonly state: 'linked' | 'pending' };

/** Never depends on what another account has: an error would tell which addresses are in use. */
function checkClaim(device: Device, { ip: text, isProven, takenBy, privateRule }: Claim): Result<Claimed, string> {
  const ip = parseHost(text);
  if (!ip) return err('must be the IP address of a single host');
  const isPrivate = isPrivateAddress(Uint8Array.from(ip.bytes), 0, ip.bytes.length);
  if (isPrivate && privateRule === 'refused')
    return err('must be a public address: private addresses cannot be linked');
  const isOfAccount = takenBy?.account === device.account;
  const isLinked = isProven || isOfAccount || (isPrivate && privateRule === 'at once');
  return ok({ ip: formatIp(ip), state: isLinked ? 'linked' : 'pending' });
}

/** Addresses are stored and compared in one spelling. */
export const sameSpelling = (text: string): string => {
  const ip = parseIp(text.trim());
  return ip ? formatIp(unmapped(ip)) : text;
};

/** An address that its owner typed in. The one that is linked stays until this one is proven. An address replaces a name. */
export function linkTyped(device: Device, claim: Claim): Result<Device, DomainError> {
  const checked = checkClaim(device, claim);
  if (!checked.ok) return err(invalid('ip', checked.error));
  const { ip, state } = checked.value;
  const without = { ...device, ddnsName: undefined };
  return ok(state === 'linked' ? { ...without, linkedIp: ip, pendingIp: undefined } : { ...without, pendingIp: ip });
}

/** A client of the device came from this address. It proves the address of a name, or replaces the name. */
export function linkClient(device: Device, claim: Omit<Claim, 'isProven'>): Result<Device, DomainError> {
  const checked = checkClaim(device, { ...claim, isProven: true });
  if (!checked.ok) return err(invalid('ip', checked.error));
  const { ip } = checked.value;
  if (ip === device.linkedIp) return ok(device);
  const ddnsName = ip === device.pendingIp ? device.ddnsName : undefined;
  return ok({ ...device, ddnsName, linkedIp: ip, pendingIp: undefined });
}

export function parseDdnsName(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return isDomainName(name) ? name : undefined;
}

/** From now on the device claims the address behind this name; `found` is the address there now, if there is one. */
export function linkName(device: Device, name: string, found: Claim | undefined): Result<Device, DomainError> {
  const ddnsName = parseDdnsName(name);
  if (ddnsName === undefined) return err(invalid('ddns', 'must be a domain name such as home.example.org'));
  const named = { ...device, ddnsName };
  if (!found) return ok({ ...named, linkedIp: undefined, pendingIp: undefined });
  const checked = checkClaim(device, found);
  return checked.ok ? ok(withNamed(named, checked.value)) : err(invalid('ddns', 'must resolve to one public address'));
}

/** The name was looked up again. An address that another device of the account has linked meanwhile stays there. */
export function followName(device: Device, found: Claim): Device {
  const isOfOther = found.takenBy !== undefined && found.takenBy.id !== device.id;
  const checked = checkClaim(device, { ...found, takenBy: undefined });
  if (!checked.ok) return { ...device, linkedIp: undefined, pendingIp: undefined };
  return withNamed(device, isOfOther ? { ...checked.value, state: 'pending' } : checked.value);
}

/** Where a name leads elsewhere, the address from before may be another household's: it is not linked any more. */
function withNamed(device: Device, { ip, state }: Claimed): Device {
  const isLinked = state === 'linked' || device.linkedIp === ip;
  return { ...device, linkedIp: isLinked ? ip : undefined, pendingIp: isLinked ? undefined : ip };
}

/** Ends the old link and the old proof name. */
export const unlinkAddress = (device: Device, random: Uint8Array): Device => ({
  ...device,
  linkedIp: undefined,
  pendingIp: undefined,
  ddnsName: undefined,
  linkToken: lettersFrom(random, LINK_TOKEN_LETTERS),
});

/** The device had the address linked, and another one has proven it. In another account the claim is pending again. */
export const loseAddress = (device: Device, to: TakenBy): Device =>
  device.account === to?.account
    ? { ...device, linkedIp: undefined, ddnsName: undefined }
    : { ...device, linkedIp: undefined, pendingIp: device.pendingIp ?? device.linkedIp };

function parseHost(text: string): IpAddress | undefined {
  const given = parseIp(text.trim());
  const ip = given && unmapped(given);
  return ip && isOfOneHost(ip) ? ip : undefined;
}

/** Not unspecified, not multicast, not broadcast. */
function isOfOneHost({ family, bytes }: IpAddress): boolean {
  const first = bytes[0]!;
  return bytes.some((byte) => byte !== 0) && (family === 'V4' ? first > 0 && first < 224 : first !== 0xff);
}

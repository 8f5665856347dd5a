import { formatIp, type IpAddress, parseIp, unmapped } from '../kit/ip-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { bytesForLetters, lettersFrom } from './base-encoding.ts';
import { isDomainName } from './catalogue/domain-name.ts';
import type { Device } from './device.ts';
import { type DomainError, invalid } from './domain-error.ts';

// Plain DNS identifies a device by its linked address. An address that was entered or looked up proves nothing: it may belong to another
// client. It is pending, without effect, until it is verified: the link is opened from it, or a DNS query is sent from it (link-proof.ts).
// Several devices may have the same pending address, but only one has it linked.

export const LINK_TOKEN_LETTERS = 43;
export const RANDOM_BYTES_OF_LINK_TOKEN = bytesForLetters(LINK_TOKEN_LETTERS);

/** The device of any account that the address is linked to. */
export type TakenBy = Pick<Device, 'id' | 'account'> | undefined;

/** The operator's setting: `auto` allows private addresses while there is one account. */
export type LinkPrivateAddress = 'auto' | 'allow' | 'refuse';

type PrivateRule = 'refused' | 'after proof' | 'at once';

/** With one account, private addresses cannot belong to another tenant and need no verification. */
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

/** Independent of other accounts, because an error would reveal which addresses are in use. */
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

/** Addresses are stored and compared in canonical form. */
export const sameSpelling = (text: string): string => {
  const ip = parseIp(text.trim());
  return ip ? formatIp(unmapped(ip)) : text;
};

/** An address entered by the owner. The linked address stays until the new one is verified. An address replaces a name. */
export function linkTyped(device: Device, claim: Claim): Result<Device, DomainError> {
  const checked = checkClaim(device, claim);
  if (!checked.ok) return err(invalid('ip', checked.error));
  const { ip, state } = checked.value;
  const without = { ...device, ddnsName: undefined };
  return ok(state === 'linked' ? { ...without, linkedIp: ip, pendingIp: undefined } : { ...without, pendingIp: ip });
}

/** A client of the device connected from this address. It verifies the address of a name, or replaces the name. */
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

/** Sets a DDNS name; `found` is its current address, if any. */
export function linkName(device: Device, name: string, found: Claim | undefined): Result<Device, DomainError> {
  const ddnsName = parseDdnsName(name);
  if (ddnsName === undefined) return err(invalid('ddns', 'must be a domain name such as home.example.org'));
  const named = { ...device, ddnsName };
  if (!found) return ok({ ...named, linkedIp: undefined, pendingIp: undefined });
  const checked = checkClaim(device, found);
  return checked.ok ? ok(withNamed(named, checked.value)) : err(invalid('ddns', 'must resolve to one public address'));
}

/** Applies a new lookup of the name. An address linked to another device of the account stays there. */
export function followName(device: Device, found: Claim): Device {
  const isOfOther = found.takenBy !== undefined && found.takenBy.id !== device.id;
  const checked = checkClaim(device, { ...found, takenBy: undefined });
  if (!checked.ok) return { ...device, linkedIp: undefined, pendingIp: undefined };
  return withNamed(device, isOfOther ? { ...checked.value, state: 'pending' } : checked.value);
}

/** If the name resolves to another address, the previous one is unlinked, because it may belong to another household now. */
function withNamed(device: Device, { ip, state }: Claimed): Device {
  const isLinked = state === 'linked' || device.linkedIp === ip;
  return { ...device, linkedIp: isLinked ? ip : undefined, pendingIp: isLinked ? undefined : ip };
}

/** Invalidates the old link and proof name. */
export const unlinkAddress = (device: Device, random: Uint8Array): Device => ({
  ...device,
  linkedIp: undefined,
  pendingIp: undefined,
  ddnsName: undefined,
  linkToken: lettersFrom(random, LINK_TOKEN_LETTERS),
});

/** Another device has verified the address of this one. In another account the claim becomes pending again. */
export const loseAddress = (device: Device, to: TakenBy): Device =>
  device.account === to?.account
    ? { ...device, linkedIp: undefined, ddnsName: undefined }
    : { ...device, linkedIp: undefined, pendingIp: device.pendingIp ?? device.linkedIp };

function parseHost(text: string): IpAddress | undefined {
  const parsed = parseIp(text.trim());
  const ip = parsed && unmapped(parsed);
  return ip && isOfOneHost(ip) ? ip : undefined;
}

/** Excludes unspecified, multicast and broadcast addresses. */
function isOfOneHost({ family, bytes }: IpAddress): boolean {
  const first = bytes[0]!;
  return bytes.some((byte) => byte !== 0) && (family === 'V4' ? first > 0 && first < 224 : first !== 0xff);
}

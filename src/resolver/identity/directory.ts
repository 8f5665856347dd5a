import { createHash } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { Limits } from '../../domain/account-limits.ts';
import type { ClientNetwork } from '../../domain/client-networks.ts';
import type { Device, DeviceType } from '../../domain/device.ts';
import type { ForwardRule } from '../../domain/forward-rules.ts';
import type { AccountId, DeviceId, ProfileId } from '../../domain/ids.ts';
import { proofLabel } from '../../domain/link-proof.ts';
import type { LocalRecord } from '../../domain/local-records.ts';
import type { Profile } from '../../domain/profile.ts';
import { addressBytes, addressKey } from './address-key.ts';
import { networkTable } from './network-table.ts';
import { shareEqual } from './structural-sharing.ts';

export type DirectoryDevice = Readonly<
  Pick<Device, 'id' | 'profile' | 'name' | 'protectionEnabled' | 'dohAuthOnly' | 'dohPassword' | 'humanId' | 'linkedIp'>
> &
  // Absent in a snapshot of an older version.
  Partial<Pick<Device, 'pendingIp' | 'linkToken' | 'addressSuffix'>> & { readonly type?: DeviceType | undefined };

type AccountFacts = Readonly<Pick<Account, 'id' | 'timeZone' | 'logEnabled' | 'isSuspended'>> & {
  readonly limits: Limits;
};

/** An account as the resolver needs it: plain data that can be sent between threads. */
export type DirectoryAccount = AccountFacts & {
  readonly profiles: readonly Profile[];
  readonly devices: readonly DirectoryDevice[];
  /** Addresses of the operator's pool; `device` is undefined until the address is assigned. */
  readonly dedicated: readonly { readonly ip: string; readonly device: DeviceId | undefined }[];
  /** Absent in a snapshot of an older version. */
  readonly networks?: readonly ClientNetwork[];
  readonly localRecords?: readonly LocalRecord[];
  readonly forwardRules?: readonly ForwardRule[];
};

export type KnownAccount = AccountFacts & { readonly deviceCount: number };

export type KnownDevice = {
  readonly kind: 'device';
  readonly device: DirectoryDevice;
  readonly profile: Profile;
  readonly account: KnownAccount;
};

/** For clients without a device, where the profile is used for unknown clients. */
export type KnownProfile = { readonly kind: 'guest'; readonly profile: Profile; readonly account: KnownAccount };

export type PendingLink = { readonly account: AccountId; readonly device: DeviceId; readonly address: string };

/** All accounts, profiles and devices. An account is replaced as a whole; profiles that did not change stay the same objects. */
export type Directory = {
  readonly replace: (account: DirectoryAccount) => void;
  readonly remove: (account: AccountId) => void;
  readonly byId: (id: string) => KnownDevice | undefined;
  /** By the human-readable id of a self-registered device, in lower case. */
  readonly byHumanId: (profile: ProfileId, humanId: string) => KnownDevice | undefined;
  readonly byLinkedAddress: (source: Uint8Array) => KnownDevice | undefined;
  /** By the last 32 bits of its own IPv6 address, in hexadecimal. */
  readonly byAddressSuffix: (suffix: string) => KnownDevice | undefined;
  /** The device whose pending address a query for this label proves. */
  readonly byProofLabel: (label: string) => PendingLink | undefined;
  readonly byDedicatedAddress: (destination: Uint8Array) => KnownDevice | undefined;
  readonly profile: (id: string) => KnownProfile | undefined;
  /** The profile of the smallest assigned network that contains the address. */
  readonly byNetwork: (source: Uint8Array) => KnownProfile | undefined;
  readonly size: () => { readonly accounts: number; readonly devices: number };
};

type Held = {
  readonly account: KnownAccount;
  readonly profiles: readonly KnownProfile[];
  readonly devices: readonly KnownDevice[];
  readonly dedicated: readonly string[];
  readonly proofs: readonly (readonly [label: string, pending: PendingLink])[];
  readonly networks: readonly (readonly [network: string, profile: KnownProfile])[];
};

export function createDirectory(): Directory {
  const accounts = new Map<AccountId, Held>();
  const profiles = new Map<string, KnownProfile>();
  const devices = new Map<string, KnownDevice>();
  const humanIds = new Map<string, KnownDevice>();
  const linked = new Map<string, KnownDevice>();
  const dedicated = new Map<string, KnownDevice>();
  const suffixes = new Map<number, KnownDevice>();
  const proofs = new Map<string, PendingLink>();
  const networks = networkTable<KnownProfile>();

  const forget = (entry: Held): void => {
    for (const { profile } of entry.profiles) profiles.delete(profile.id);
    for (const known of entry.devices) {
      const { id, linkedIp } = known.device;
      devices.delete(id);
      if (known.device.humanId !== undefined) humanIds.delete(humanKey(known.device.profile, known.device.humanId));
      if (linkedIp !== undefined) deleteOwn(linked, textKey(linkedIp), known);
      const { addressSuffix } = known.device;
      if (addressSuffix !== undefined) suffixes.delete(numberOf(addressSuffix));
    }
    for (const [label] of entry.proofs) proofs.delete(label);
    for (const [network, profile] of entry.networks) networks.delete(network, profile);
    for (const key of entry.dedicated) {
      const known = dedicated.get(key);
      if (known?.account === entry.account) dedicated.delete(key);
    }
  };

  const learn = (given: DirectoryAccount, before: Held | undefined): Held => {
    const entry = knownOf(given, before);
    for (const known of entry.profiles) profiles.set(known.profile.id, known);
    for (const known of entry.devices) {
      const { id, profile, humanId, linkedIp, addressSuffix } = known.device;
      devices.set(id, known);
      if (addressSuffix !== undefined) suffixes.set(numberOf(addressSuffix), known);
      if (humanId !== undefined) humanIds.set(humanKey(profile, humanId), known);
      if (linkedIp !== undefined) setAt(linked, linkedIp, known);
    }
    for (const { ip, device } of given.dedicated) {
      const known = device === undefined ? undefined : devices.get(device);
      if (known?.account === entry.account) setAt(dedicated, ip, known);
    }
    for (const [label, pending] of entry.proofs) proofs.set(label, pending);
    for (const [network, profile] of entry.networks) networks.set(network, profile);
    return entry;
  };

  return {
    replace(given) {
      const before = accounts.get(given.id);
      if (before) forget(before);
      accounts.set(given.id, learn(given, before));
    },
    remove(id) {
      const entry = accounts.get(id);
      if (entry) forget(entry);
      accounts.delete(id);
    },
    byId: (id) => devices.get(id),
    byHumanId: (profile, humanId) => humanIds.get(humanKey(profile, humanId)),
    byLinkedAddress: (source) => linked.get(addressKey(source)),
    byDedicatedAddress: (destination) => dedicated.get(addressKey(destination)),
    // A device that was created before suffixes existed uses its id.
    byAddressSuffix: (suffix) => suffixes.get(numberOf(suffix)) ?? devices.get(suffix),
    byProofLabel: (label) => proofs.get(label),
    profile: (id) => profiles.get(id),
    byNetwork: (source) => networks.find(source),
    size: () => ({ accounts: accounts.size, devices: devices.size }),
  };
}

function knownOf(given: DirectoryAccount, before: Held | undefined): Held {
  const account = accountOf(given);
  const old = new Map(before?.profiles.map(({ profile }) => [profile.id, profile]));
  const profiles = given.profiles.map(
    (profile): KnownProfile => ({ kind: 'guest', profile: shareEqual(old.get(profile.id), profile), account }),
  );
  const ownProfiles = new Map(profiles.map(({ profile }) => [profile.id, profile]));
  const devices = given.devices.flatMap((device): KnownDevice[] => {
    // Only a profile of the same account: a device never uses a profile of another tenant, whatever the snapshot contains.
    const profile = ownProfiles.get(device.profile);
    return profile ? [{ kind: 'device', device: deviceOf(device, profile), profile, account }] : [];
  });
  return {
    account,
    profiles,
    devices,
    dedicated: given.dedicated.flatMap(({ ip }) => textKey(ip) ?? []),
    proofs: given.devices.flatMap((device) => proofOf(account.id, device)),
    networks: (given.networks ?? []).flatMap(({ network, profile: id }) => {
      const known = profiles.find(({ profile }) => profile.id === id);
      return known ? [[network, known] as const] : [];
    }),
  };
}

const proofOf = (account: AccountId, { id, pendingIp, linkToken }: DirectoryDevice): Held['proofs'] =>
  pendingIp === undefined || linkToken === undefined
    ? []
    : [[labelOf(linkToken), { account, device: id, address: pendingIp }]];

const labelOf = (linkToken: string): string =>
  proofLabel(linkToken, (text) => createHash('sha256').update(text).digest());

const numberOf = (suffix: string): number => Number.parseInt(suffix, 16);

const accountOf = ({ id, timeZone, logEnabled, isSuspended, limits, devices }: DirectoryAccount): KnownAccount => ({
  id,
  timeZone,
  logEnabled,
  isSuspended,
  limits,
  deviceCount: devices.length,
});

/** Only the members that are needed, and one string for the profile's id: there may be hundreds of thousands of devices. */
const deviceOf = (device: DirectoryDevice, profile: Profile): DirectoryDevice => ({
  id: device.id,
  profile: profile.id,
  name: device.name,
  protectionEnabled: device.protectionEnabled,
  dohAuthOnly: device.dohAuthOnly,
  dohPassword: device.dohPassword,
  humanId: device.humanId?.toLowerCase(),
  linkedIp: device.linkedIp,
  addressSuffix: device.addressSuffix,
  type: device.type,
});

// Profile ids have a fixed length, so the key is unambiguous.
const humanKey = (profile: ProfileId, humanId: string): string => `${profile}-${humanId}`;

function textKey(ip: string): string | undefined {
  const bytes = addressBytes(ip);
  return bytes && addressKey(bytes);
}

function setAt(map: Map<string, KnownDevice>, ip: string, known: KnownDevice): void {
  const key = textKey(ip);
  if (key !== undefined) map.set(key, known);
}

// The address may belong to another device by now, whose snapshot came first.
function deleteOwn(map: Map<string, KnownDevice>, key: string | undefined, known: KnownDevice): void {
  if (key !== undefined && map.get(key) === known) map.delete(key);
}

import { createHash } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { Limits } from '../../domain/account-limits.ts';
import type { DeviceIdentifier } from '../../domain/client-identifiers.ts';
import type { ClientNetwork } from '../../domain/client-networks.ts';
import type { Device, DeviceType } from '../../domain/device.ts';
import type { ForwardRule } from '../../domain/forward-rules.ts';
import type { AccountId, DeviceId, ProfileId } from '../../domain/ids.ts';
import { proofLabel } from '../../domain/link-proof.ts';
import type { LocalRecord } from '../../domain/local-records.ts';
import type { Profile } from '../../domain/profile.ts';
import { type AccountBlock, type IndexedLine, lineText, READ_AT_ONCE } from './account-block.ts';
import { addressBytes, addressKey } from './address-key.ts';
import { createHostTable, type HostFacts, type HostTable, type KnownHost } from './host-table.ts';
import { createIdentifiers, type KnownIdentifier } from './identifiers.ts';
import { networkTable } from './network-table.ts';
import { shareEqual } from './structural-sharing.ts';
import { createUnreadAccounts } from './unread-accounts.ts';

export type DirectoryDevice = Readonly<
  Pick<Device, 'id' | 'profile' | 'name' | 'protectionEnabled' | 'dohAuthOnly' | 'dohPassword' | 'humanId' | 'linkedIp'>
> &
  // Absent in a snapshot of an older version.
  Partial<Pick<Device, 'pendingIp' | 'addressSuffix' | 'pausedUntil'>> & {
    readonly linkToken?: string | undefined;
    readonly type?: DeviceType | undefined;
    readonly tags?: readonly string[] | undefined;
  };

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
  /** Absent in a snapshot of an older version. */
  readonly identifiers?: readonly DeviceIdentifier[];
};

export type KnownAccount = AccountFacts & { readonly deviceCount: number };

export type KnownDevice = {
  readonly kind: 'device';
  readonly device: DirectoryDevice;
  readonly profile: Profile;
  readonly account: KnownAccount;
};

/** Data of clients without a device that use this profile. */
export type KnownProfile = { readonly kind: 'guest'; readonly profile: Profile; readonly account: KnownAccount };

type AssignedNetwork = {
  readonly kind: 'assigned network';
  readonly value: string;
  readonly identity: KnownProfile;
};

export type PendingLink = { readonly account: AccountId; readonly device: DeviceId; readonly address: string };

/** All accounts, profiles and devices. Updates replace whole accounts; unchanged profiles keep their object identity. */
export type Directory = {
  /** Returns true if the change may affect the identification of clients of other accounts. */
  readonly replace: (account: DirectoryAccount) => boolean;
  /**
   * Replaces many accounts. The line of a new account that is identified by ids alone is parsed when a client uses one of its ids. Returns
   * the accounts that were parsed.
   */
  readonly replaceMany: (
    block: AccountBlock,
    lines: readonly IndexedLine[],
    parse: (line: string) => DirectoryAccount,
  ) => readonly DirectoryAccount[];
  readonly remove: (account: AccountId) => void;
  readonly byId: (id: string) => KnownDevice | undefined;
  /** By the human-readable id of a self-registered device, in lower case. */
  readonly byHumanId: (profile: ProfileId, humanId: string) => KnownDevice | undefined;
  /** Identifiers and linked addresses that match a client, most specific first. */
  readonly matching: (facts: HostFacts) => Iterable<KnownIdentifier>;
  /** By the last 32 bits of its own IPv6 address, in hexadecimal. */
  readonly byAddressSuffix: (suffix: string) => KnownDevice | undefined;
  /** The device whose pending address a query for this label proves. */
  readonly byProofLabel: (label: string) => PendingLink | undefined;
  readonly byDedicatedAddress: (destination: Uint8Array) => KnownDevice | undefined;
  readonly profile: (id: string) => KnownProfile | undefined;
  /** The profile of the smallest assigned network that contains the address. */
  readonly byNetwork: (source: Uint8Array) => AssignedNetwork | undefined;
  /** MAC addresses and names of the hosts in the local network. */
  readonly hosts: () => HostTable;
  readonly setHosts: (hosts: readonly KnownHost[]) => void;
  readonly size: () => { readonly accounts: number; readonly devices: number };
};

type AccountEntry = {
  readonly account: KnownAccount;
  readonly profiles: readonly KnownProfile[];
  readonly devices: readonly KnownDevice[];
  readonly identifiers: readonly KnownIdentifier[];
  readonly dedicated: readonly { readonly key: string; readonly device: DeviceId | undefined }[];
  readonly proofs: readonly (readonly [label: string, pending: PendingLink])[];
  readonly networks: readonly AssignedNetwork[];
};

export function createDirectory(): Directory {
  const unread = createUnreadAccounts<DirectoryAccount>();
  const accounts = new Map<AccountId, AccountEntry>();
  const profiles = new Map<string, KnownProfile>();
  const devices = new Map<string, KnownDevice>();
  const humanIds = new Map<string, KnownDevice>();
  const identifiers = createIdentifiers();
  const dedicated = new Map<string, KnownDevice>();
  const suffixes = new Map<number, KnownDevice>();
  const proofs = new Map<string, PendingLink>();
  const networks = networkTable<AssignedNetwork>();
  let hosts = createHostTable();

  const removeEntry = (entry: AccountEntry): void => {
    for (const { profile } of entry.profiles) profiles.delete(profile.id);
    for (const knownDevice of entry.devices) {
      devices.delete(knownDevice.device.id);
      if (knownDevice.device.humanId !== undefined)
        humanIds.delete(humanKey(knownDevice.device.profile, knownDevice.device.humanId));
      const { addressSuffix } = knownDevice.device;
      if (addressSuffix !== undefined) suffixes.delete(numberOf(addressSuffix));
    }
    for (const identifier of entry.identifiers) identifiers.remove(identifier);
    for (const [label] of entry.proofs) proofs.delete(label);
    for (const network of entry.networks) networks.delete(network.value, network);
    for (const { key } of entry.dedicated) {
      const knownDevice = dedicated.get(key);
      if (knownDevice?.account === entry.account) dedicated.delete(key);
    }
  };

  const addEntry = (directoryAccount: DirectoryAccount, before: AccountEntry | undefined): AccountEntry => {
    const entry = knownOf(directoryAccount, before);
    for (const knownProfile of entry.profiles) profiles.set(knownProfile.profile.id, knownProfile);
    for (const knownDevice of entry.devices) {
      const { id, profile, humanId, addressSuffix } = knownDevice.device;
      devices.set(id, knownDevice);
      if (addressSuffix !== undefined) suffixes.set(numberOf(addressSuffix), knownDevice);
      if (humanId !== undefined) humanIds.set(humanKey(profile, humanId), knownDevice);
    }
    for (const identifier of entry.identifiers) identifiers.add(identifier);
    for (const { key, device } of entry.dedicated) {
      const knownDevice = device === undefined ? undefined : devices.get(device);
      if (knownDevice && knownDevice.account === entry.account) dedicated.set(key, knownDevice);
    }
    for (const [label, pending] of entry.proofs) proofs.set(label, pending);
    for (const network of entry.networks) networks.set(network.value, network);
    return entry;
  };

  const add = (directoryAccount: DirectoryAccount): AccountEntry => {
    const entry = addEntry(directoryAccount, undefined);
    accounts.set(directoryAccount.id, entry);
    return entry;
  };

  const entryOf = (id: AccountId): AccountEntry | undefined => {
    const found = accounts.get(id);
    if (found) return found;
    const directoryAccount = unread.take(id);
    return directoryAccount && add(directoryAccount);
  };

  /** Parses the pending accounts that may have this id or suffix. */
  const find = <Key, Known>(map: ReadonlyMap<Key, Known>, key: Key, id: string): Known | undefined => {
    const found = map.get(key);
    if (found) return found;
    const taken = unread.takeWith(id);
    if (taken.length === 0) return undefined;
    taken.forEach(add);
    return map.get(key);
  };

  const replace: Directory['replace'] = (directoryAccount) => {
    const before = entryOf(directoryAccount.id);
    if (before) removeEntry(before);
    const after = addEntry(directoryAccount, before);
    accounts.set(directoryAccount.id, after);
    return !before || !identifiesTheSame(before, after);
  };

  return {
    replace,
    replaceMany(block, lines, parse) {
      const read: DirectoryAccount[] = [];
      for (const line of lines) {
        if ((line.flags & READ_AT_ONCE) === 0 && !accounts.has(line.id as AccountId) && !unread.has(line.id)) {
          unread.add(block, line, parse);
          continue;
        }
        const account = parse(lineText(block, line));
        replace(account);
        read.push(account);
      }
      return read;
    },
    remove(id) {
      const entry = entryOf(id);
      if (entry) removeEntry(entry);
      accounts.delete(id);
    },
    byId: (id) => find(devices, id, id),
    byHumanId: (profile, humanId) => humanIds.get(humanKey(profile, humanId)),
    matching: (facts) => identifiers.matching(facts),
    byDedicatedAddress: (destination) => dedicated.get(addressKey(destination)),
    // A device that was created before suffixes existed uses its id.
    byAddressSuffix: (suffix) => find(suffixes, numberOf(suffix), suffix) ?? find(devices, suffix, suffix),
    byProofLabel: (label) => proofs.get(label),
    profile: (id) => find(profiles, id, id),
    byNetwork: (source) => networks.find(source),
    hosts: () => hosts,
    setHosts(knownHosts) {
      hosts = createHostTable(knownHosts);
    },
    size() {
      const { accounts: unreadAccounts, devices: unreadDevices } = unread.size();
      return { accounts: accounts.size + unreadAccounts, devices: devices.size + unreadDevices };
    },
  };
}

function knownOf(directoryAccount: DirectoryAccount, before: AccountEntry | undefined): AccountEntry {
  const account = accountOf(directoryAccount);
  const old = new Map(before?.profiles.map(({ profile }) => [profile.id, profile]));
  const profiles = directoryAccount.profiles.map(
    (profile): KnownProfile => ({ kind: 'guest', profile: shareEqual(old.get(profile.id), profile), account }),
  );
  const ownProfiles = new Map(profiles.map(({ profile }) => [profile.id, profile]));
  const devices = directoryAccount.devices.flatMap((device): KnownDevice[] => {
    // Looks the profile up in the same account only: a device never uses a profile of another tenant, even if the snapshot is wrong.
    const profile = ownProfiles.get(device.profile);
    return profile ? [{ kind: 'device', device: deviceOf(device, profile), profile, account }] : [];
  });
  return {
    account,
    profiles,
    devices,
    identifiers: identifiersOf(directoryAccount, devices),
    dedicated: directoryAccount.dedicated.flatMap(({ ip, device }) => {
      const key = textKey(ip);
      return key === undefined ? [] : [{ key, device }];
    }),
    proofs: directoryAccount.devices.flatMap((device) => proofOf(account.id, device)),
    networks: (directoryAccount.networks ?? []).flatMap(({ network, profile: id }): AssignedNetwork[] => {
      const knownProfile = profiles.find(({ profile }) => profile.id === id);
      return knownProfile ? [{ kind: 'assigned network', value: network, identity: knownProfile }] : [];
    }),
  };
}

/** Identifiers and linked addresses, for devices of this account only. */
function identifiersOf(
  directoryAccount: DirectoryAccount,
  devices: readonly KnownDevice[],
): readonly KnownIdentifier[] {
  const byId = new Map(devices.map((knownDevice) => [knownDevice.device.id, knownDevice]));
  const assigned = (directoryAccount.identifiers ?? []).flatMap(({ kind, value, device }): KnownIdentifier[] => {
    const knownDevice = byId.get(device);
    return knownDevice ? [{ kind, value, identity: knownDevice }] : [];
  });
  const linked = devices.flatMap((knownDevice): KnownIdentifier[] => {
    const { linkedIp } = knownDevice.device;
    return linkedIp === undefined ? [] : [{ kind: 'linked address', value: linkedIp, identity: knownDevice }];
  });
  return [...assigned, ...linked];
}

const proofOf = (account: AccountId, { id, pendingIp, linkToken }: DirectoryDevice): AccountEntry['proofs'] =>
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

/** Whether its clients are identified by ids and address suffixes only, and it has no local names. */
export const isIdentifiedByIds = (account: DirectoryAccount): boolean =>
  account.dedicated.length === 0 &&
  [account.networks, account.localRecords, account.forwardRules, account.identifiers].every((all) => !all?.length) &&
  account.devices.every((device) =>
    [device.humanId, device.linkedIp, device.pendingIp].every((id) => id === undefined),
  );

/** Only the members that are needed, and one string for the profile's id: there may be hundreds of thousands of devices. */
const deviceOf = (device: DirectoryDevice, profile: Profile): DirectoryDevice => ({
  id: device.id,
  profile: profile.id,
  name: device.name,
  protectionEnabled: device.protectionEnabled,
  pausedUntil: device.pausedUntil,
  dohAuthOnly: device.dohAuthOnly,
  dohPassword: device.dohPassword,
  humanId: device.humanId?.toLowerCase(),
  linkedIp: device.linkedIp,
  addressSuffix: device.addressSuffix,
  type: device.type,
  tags: device.tags?.length ? device.tags : undefined,
});

// Profile ids have a fixed length, so the key is unambiguous.
const humanKey = (profile: ProfileId, humanId: string): string => `${profile}-${humanId}`;

function textKey(ip: string): string | undefined {
  const bytes = addressBytes(ip);
  return bytes && addressKey(bytes);
}

/** Most changes concern settings only and do not affect the clients of other accounts. */
const identifiesTheSame = (before: AccountEntry, after: AccountEntry): boolean =>
  before.account.isSuspended === after.account.isSuspended &&
  isSame(before.profiles, after.profiles, ({ profile }) => profile.id) &&
  isSame(before.devices, after.devices, ({ device }) => {
    const { id, profile, humanId, linkedIp, addressSuffix, dohAuthOnly } = device;
    return [id, profile, humanId, linkedIp, addressSuffix, dohAuthOnly].join(' ');
  }) &&
  isSame(
    before.identifiers,
    after.identifiers,
    ({ kind, value, identity }) => `${kind} ${value} ${identity.device.id}`,
  ) &&
  isSame(before.dedicated, after.dedicated, ({ key, device }) => `${key} ${device}`) &&
  isSame(before.networks, after.networks, ({ value, identity }) => `${value} ${identity.profile.id}`);

const isSame = <T>(before: readonly T[], after: readonly T[], keyOf: (each: T) => string): boolean =>
  before.length === after.length && before.every((each, index) => keyOf(each) === keyOf(after[index]!));

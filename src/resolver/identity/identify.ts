import { type HumanId, parseHumanId } from '../../domain/human-id.ts';
import { DEVICE_ID_LENGTHS, type ProfileId } from '../../domain/ids.ts';
import type { Profile } from '../../domain/profile.ts';
import { addressBytes, addressKey } from './address-key.ts';
import type { Directory, KnownAccount, KnownDevice, KnownProfile } from './directory.ts';
import { isSameSecret } from './timing-safe-equal.ts';

/** The parts of a request that identify its client. */
export type IdentifyingParts = {
  readonly bytes: Uint8Array;
  readonly transport: 'udp' | 'tcp' | 'dot' | 'doh';
  /** 4 or 16 bytes each. */
  readonly client: Uint8Array;
  readonly local: Uint8Array;
  readonly serverName?: string | undefined;
  /** Path element after `/dns-query/`. */
  readonly path?: string | undefined;
  readonly login?: { readonly user: string; readonly password: string } | undefined;
};

/** Device id in the query (EDNS option 65074); a length of 0 means absent. */
export type DeviceOption = { readonly deviceAt: number; readonly deviceLength: number };

export type Identity =
  | KnownDevice
  | KnownProfile
  /** A device that may be created: the profile allows self-registration, and the account has not reached its limit. */
  | {
      readonly kind: 'unknown human id';
      readonly humanId: HumanId;
      readonly profile: Profile;
      readonly account: KnownAccount;
    }
  | { readonly kind: 'unknown' }
  /** Sent to an address dedicated to one device, and no such device exists. */
  | { readonly kind: 'drop' };

export type IdentifySettings = {
  /** Suffix of device host names, lower case: `.dns.example.org`. */
  readonly deviceSuffix: string;
  /** First 96 bits of the IPv6 addresses dedicated to devices. */
  readonly deviceNetwork: Uint8Array | undefined;
  readonly dedicatedPool: ReadonlySet<string>;
  /** By id and not by name: any account may give its profile any name. */
  readonly unknownClients: 'refuse' | ProfileId;
};

export type IdentifyOptions = {
  /** May have a port, as in the addresses shown to users. */
  readonly deviceDomain: string;
  readonly deviceNetwork: string | undefined;
  readonly dedicatedPool: readonly string[];
  readonly unknownClients: 'refuse' | ProfileId;
};

const NETWORK_BYTES = 12;
const UNKNOWN = { kind: 'unknown' } as const;
const DROP = { kind: 'drop' } as const;

export function identifySettings(options: IdentifyOptions): IdentifySettings {
  const { deviceDomain, deviceNetwork, dedicatedPool, unknownClients } = options;
  const network = deviceNetwork === undefined ? undefined : addressBytes(deviceNetwork.replace(/\/96$/, ''));
  const pool = dedicatedPool.flatMap((ip) => addressBytes(ip) ?? []).map(addressKey);
  return {
    deviceSuffix: `.${deviceDomain.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase()}`,
    deviceNetwork: network?.subarray(0, NETWORK_BYTES),
    dedicatedPool: new Set(pool),
    unknownClients,
  };
}

/**
 * Identifies the client of a query. The first identifying part that is present decides, even if it names no existing device: a wrong id
 * must not fall back to another client.
 */
export function identify(
  request: IdentifyingParts,
  option: DeviceOption,
  directory: Directory,
  settings: IdentifySettings,
): Identity {
  const identity = claimed(request, option, directory, settings);
  if (identity.kind === 'drop') return identity;
  const isUnknown = identity.kind === 'unknown' || identity.account.isSuspended;
  return isUnknown ? unknownClient(request.client, directory, settings) : identity;
}

function claimed(
  request: IdentifyingParts,
  option: DeviceOption,
  directory: Directory,
  settings: IdentifySettings,
): Identity {
  switch (request.transport) {
    case 'doh':
      if (request.login) return byLogin(request.login, directory);
      if (request.path !== undefined) return byText(request.path, directory);
      return byServerName(request, directory, settings);
    case 'dot':
      return byServerName(request, directory, settings);
    default:
      if (option.deviceLength > 0) return byOption(request.bytes, option, directory);
      return byAddresses(request, directory, settings);
  }
}

/**
 * Hash of the id and password that a query presents, and of the client's network (/24, /56); 0 if it presents none. Queries over UDP
 * have other hashes: their sources can be forged.
 */
export function claimHash(
  request: IdentifyingParts,
  option: DeviceOption,
  settings: Pick<IdentifySettings, 'deviceSuffix' | 'deviceNetwork'>,
  seed: number,
): number {
  high = seed;
  low = ~seed;
  if (!addClaim(request, option, settings)) return 0;
  const { client, transport } = request;
  addByte(transport === 'udp' ? 1 : 0);
  addBytes(client, 0, client.length === 4 ? V4_NETWORK_BYTES : V6_NETWORK_BYTES);
  // 53 bits, and never 0.
  return (high >>> 11) * 2 ** 32 + (low >>> 0) + 1;
}

const V4_NETWORK_BYTES = 3;
const V6_NETWORK_BYTES = 7;
let high = 0;
let low = 0;

function addByte(byte: number): void {
  high = Math.imul(high ^ byte, 0x01000193);
  low = Math.imul(low ^ byte ^ (high >>> 15), 0x85ebca6b);
}

function addBytes(bytes: Uint8Array, from: number, end: number): void {
  for (let i = from; i < end; i++) addByte(bytes[i]!);
}

function addText(text: string): true {
  for (let i = 0; i < text.length; i++) addByte(text.charCodeAt(i));
  // Separator: the pairs ("ab", "c") and ("a", "bc") must differ.
  addByte(-1);
  return true;
}

/** In the order of `claimed`. */
function addClaim(
  { transport, login, path, serverName, local, bytes }: IdentifyingParts,
  { deviceAt, deviceLength }: DeviceOption,
  { deviceSuffix, deviceNetwork }: Pick<IdentifySettings, 'deviceSuffix' | 'deviceNetwork'>,
): boolean {
  if (transport === 'doh' && login) return addText(login.user.toLowerCase()) && addText(login.password);
  if (transport === 'doh' && path !== undefined) return addText(path.toLowerCase());
  if (transport === 'doh' || transport === 'dot') {
    const label = serverName === undefined ? undefined : deviceLabel(serverName, deviceSuffix);
    return label !== undefined && addText(label.toLowerCase());
  }
  if (deviceLength > 0) addBytes(bytes, deviceAt, deviceAt + deviceLength);
  else if (deviceNetwork && isIn(deviceNetwork, local)) addBytes(local, NETWORK_BYTES, local.length);
  else return false;
  return true;
}

/** The setting of the operator applies to all unknown clients; without it, the network of the client decides. */
function unknownClient(client: Uint8Array, directory: Directory, { unknownClients }: IdentifySettings): Identity {
  const profile = unknownClients === 'refuse' ? directory.byNetwork(client) : directory.profile(unknownClients);
  return profile && !profile.account.isSuspended ? profile : UNKNOWN;
}

function byLogin({ user, password }: NonNullable<IdentifyingParts['login']>, directory: Directory): Identity {
  const known = directory.byId(user.toLowerCase());
  // Also compared if the device does not exist: response times must not reveal which devices exist.
  return isSameSecret(password, known?.device.dohPassword ?? '') && known ? known : UNKNOWN;
}

/** Identified without a password: not for devices that require one. */
const withoutLogin = (known: KnownDevice | undefined): Identity =>
  known && !known.device.dohAuthOnly ? known : UNKNOWN;

/** Without the name of a device, addresses decide, as for plain DNS: Android in automatic mode connects without a name. */
function byServerName(request: IdentifyingParts, directory: Directory, settings: IdentifySettings): Identity {
  const { serverName } = request;
  const label = serverName === undefined ? undefined : deviceLabel(serverName, settings.deviceSuffix);
  return label === undefined ? byAddresses(request, directory, settings) : byText(label, directory);
}

/** The label before the device domain, in its original case: it may be a display name. */
function deviceLabel(name: string, suffix: string): string | undefined {
  const given = name.endsWith('.') ? name.slice(0, -1) : name;
  const label = given.slice(0, -suffix.length);
  const isOurs = given.slice(-suffix.length).toLowerCase() === suffix;
  return isOurs && label !== '' && !label.includes('.') ? label : undefined;
}

/** A device id, or the human-readable id of a self-registered device. */
function byText(text: string, directory: Directory): Identity {
  const known = directory.byId(text.toLowerCase());
  if (known) return withoutLogin(known);
  const humanId = parseHumanId(text);
  return humanId ? byHumanId(humanId, directory) : UNKNOWN;
}

function byHumanId(humanId: HumanId, directory: Directory): Identity {
  const known = directory.byHumanId(humanId.profile, humanId.humanId);
  if (known) return withoutLogin(known);
  const target = directory.profile(humanId.profile);
  if (!target?.profile.settings.autoConnectDevices) return UNKNOWN;
  const { profile, account } = target;
  if (account.deviceCount >= account.limits.devices) return UNKNOWN;
  return { kind: 'unknown human id', humanId, profile, account };
}

/** Device ids only: sources of plain DNS can be forged, so it must not be able to create devices. */
function byOption(bytes: Uint8Array, { deviceAt: at, deviceLength }: DeviceOption, directory: Directory): Identity {
  if (deviceLength !== DEVICE_ID_LENGTHS.old && deviceLength !== DEVICE_ID_LENGTHS.new) return UNKNOWN;
  let id = '';
  for (let i = at; i < at + deviceLength; i++) id += letters[bytes[i]!];
  return withoutLogin(directory.byId(id));
}

const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte).toLowerCase());

function byAddresses({ client, local }: IdentifyingParts, directory: Directory, settings: IdentifySettings): Identity {
  const { deviceNetwork, dedicatedPool } = settings;
  if (deviceNetwork && isIn(deviceNetwork, local)) return ofDedicated(directory.byAddressSuffix(suffixOf(local)));
  const dedicated = directory.byDedicatedAddress(local);
  if (dedicated || dedicatedPool.has(addressKey(local))) return ofDedicated(dedicated);
  return withoutLogin(directory.byLinkedAddress(client));
}

const ofDedicated = (known: KnownDevice | undefined): Identity => (known ? withoutLogin(known) : DROP);

const isIn = (network: Uint8Array, address: Uint8Array): boolean =>
  address.length > NETWORK_BYTES && network.every((byte, index) => address[index] === byte);

const suffixOf = (address: Uint8Array): string =>
  Buffer.from(address.buffer, address.byteOffset + NETWORK_BYTES, 4).toString('hex');

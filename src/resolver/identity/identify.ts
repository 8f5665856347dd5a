import { type HumanId, parseHumanId } from '../../domain/human-id.ts';
import { DEVICE_ID_LENGTHS, type ProfileId } from '../../domain/ids.ts';
import type { Profile } from '../../domain/profile.ts';
import { addressBytes, addressKey } from './address-key.ts';
import type { Directory, KnownAccount, KnownDevice, KnownProfile } from './directory.ts';
import { isSameSecret } from './timing-safe-equal.ts';

/** What of a query tells who asks it. */
export type AskedBy = {
  readonly bytes: Uint8Array;
  readonly transport: 'udp' | 'tcp' | 'dot' | 'doh';
  /** 4 or 16 bytes each. */
  readonly client: Uint8Array;
  readonly local: Uint8Array;
  readonly serverName?: string | undefined;
  /** What stands behind `/dns-query/`. */
  readonly path?: string | undefined;
  readonly login?: { readonly user: string; readonly password: string } | undefined;
};

/** Where the query's bytes hold a device id (EDNS option 65074); a length of 0 says that they hold none. */
export type DeviceOption = { readonly deviceAt: number; readonly deviceLength: number };

export type Identity =
  | KnownDevice
  | KnownProfile
  /** A device that may be created: its profile lets devices connect by themselves, and the account has room. */
  | {
      readonly kind: 'unknown human id';
      readonly humanId: HumanId;
      readonly profile: Profile;
      readonly account: KnownAccount;
    }
  | { readonly kind: 'stranger' }
  /** It came to an address that is one device's alone, and there is no such device. */
  | { readonly kind: 'drop' };

export type IdentifySettings = {
  /** Behind the device's label, lower case: `.dns.example.org`. */
  readonly deviceSuffix: string;
  /** The first 96 bits of the devices' own IPv6 addresses. */
  readonly deviceNetwork: Uint8Array | undefined;
  readonly dedicatedPool: ReadonlySet<string>;
  /** By id and not by name: anybody may give a profile of his any name. */
  readonly unknownClients: 'refuse' | ProfileId;
};

export type IdentifyOptions = {
  /** May carry a port, as the addresses do that people are shown. */
  readonly deviceDomain: string;
  readonly deviceNetwork: string | undefined;
  readonly dedicatedPool: readonly string[];
  readonly unknownClients: 'refuse' | ProfileId;
};

const NETWORK_BYTES = 12;
const STRANGER = { kind: 'stranger' } as const;
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
 * Whose query it is. The first thing that names a device decides, also when it names none that there is: whoever claims to be
 * somebody is not taken for somebody else.
 */
export function identify(
  asked: AskedBy,
  option: DeviceOption,
  directory: Directory,
  settings: IdentifySettings,
): Identity {
  const found = claimed(asked, option, directory, settings);
  if (found.kind === 'drop') return found;
  return found.kind === 'stranger' || found.account.isSuspended ? strangerOf(directory, settings) : found;
}

function claimed(asked: AskedBy, option: DeviceOption, directory: Directory, settings: IdentifySettings): Identity {
  switch (asked.transport) {
    case 'doh':
      if (asked.login) return byLogin(asked.login, directory);
      if (asked.path !== undefined) return byText(asked.path, directory);
      return byServerName(asked.serverName, directory, settings);
    case 'dot':
      return byServerName(asked.serverName, directory, settings);
    default:
      if (option.deviceLength > 0) return byOption(asked.bytes, option, directory);
      return byAddresses(asked, directory, settings);
  }
}

/**
 * A number for the id that a query presents, with its password and the client's network (/24, /56); 0 where it presents none. Queries
 * over UDP have other numbers: their sources can be forged.
 */
export function claimHash(
  asked: AskedBy,
  option: DeviceOption,
  settings: Pick<IdentifySettings, 'deviceSuffix' | 'deviceNetwork'>,
  seed: number,
): number {
  high = seed;
  low = ~seed;
  if (!addClaim(asked, option, settings)) return 0;
  const { client, transport } = asked;
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
  // Ends the text, so that no two pairs of texts are the same.
  addByte(-1);
  return true;
}

/** In the order of `claimed`. */
function addClaim(
  { transport, login, path, serverName, local, bytes }: AskedBy,
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

function strangerOf(directory: Directory, { unknownClients }: IdentifySettings): Identity {
  if (unknownClients === 'refuse') return STRANGER;
  const guest = directory.profile(unknownClients);
  return guest && !guest.account.isSuspended ? guest : STRANGER;
}

function byLogin({ user, password }: NonNullable<AskedBy['login']>, directory: Directory): Identity {
  const known = directory.byId(user.toLowerCase());
  // Compared also for a device that there is not, so that the time does not tell which there are.
  return isSameSecret(password, known?.device.dohPassword ?? '') && known ? known : STRANGER;
}

/** Where there is no password: not for devices that must give theirs. */
const withoutLogin = (known: KnownDevice | undefined): Identity =>
  known && !known.device.dohAuthOnly ? known : STRANGER;

function byServerName(name: string | undefined, directory: Directory, settings: IdentifySettings): Identity {
  const label = name === undefined ? undefined : deviceLabel(name, settings.deviceSuffix);
  return label === undefined ? STRANGER : byText(label, directory);
}

/** The one label before the domain of the devices, in the case it came in: people read the name that it may hold. */
function deviceLabel(name: string, suffix: string): string | undefined {
  const given = name.endsWith('.') ? name.slice(0, -1) : name;
  const label = given.slice(0, -suffix.length);
  const isOurs = given.slice(-suffix.length).toLowerCase() === suffix;
  return isOurs && label !== '' && !label.includes('.') ? label : undefined;
}

/** A device id, or a name that the device gave itself. */
function byText(text: string, directory: Directory): Identity {
  const known = directory.byId(text.toLowerCase());
  if (known) return withoutLogin(known);
  const humanId = parseHumanId(text);
  return humanId ? byHumanId(humanId, directory) : STRANGER;
}

function byHumanId(humanId: HumanId, directory: Directory): Identity {
  const known = directory.byHumanId(humanId.profile, humanId.humanId);
  if (known) return withoutLogin(known);
  const place = directory.profile(humanId.profile);
  if (!place?.profile.settings.autoConnectDevices) return STRANGER;
  const { profile, account } = place;
  if (account.deviceCount >= account.limits.devices) return STRANGER;
  return { kind: 'unknown human id', humanId, profile, account };
}

/** Ids only: over plain DNS anybody can write any source, and whoever may create devices could fill an account with them. */
function byOption(bytes: Uint8Array, { deviceAt: at, deviceLength }: DeviceOption, directory: Directory): Identity {
  if (deviceLength !== DEVICE_ID_LENGTHS.old && deviceLength !== DEVICE_ID_LENGTHS.new) return STRANGER;
  let id = '';
  for (let i = at; i < at + deviceLength; i++) id += letters[bytes[i]!];
  return withoutLogin(directory.byId(id));
}

const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte).toLowerCase());

function byAddresses({ client, local }: AskedBy, directory: Directory, settings: IdentifySettings): Identity {
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

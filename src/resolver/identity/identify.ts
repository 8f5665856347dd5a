import type { Question } from '../../dns/question.ts';
import { type HumanId, parseHumanId } from '../../domain/human-id.ts';
import { DEVICE_ID_LENGTHS, type ProfileId } from '../../domain/ids.ts';
import type { Profile } from '../../domain/profile.ts';
import { addressBytes, addressKey } from './address-key.ts';
import type { Directory, KnownAccount, KnownDevice, KnownProfile } from './directory.ts';
import { type HostFacts, namesOf } from './host-table.ts';
import type { KnownIdentifier } from './identifiers.ts';
import { type MacOption, macText, trustedMacLength } from './mac-option.ts';
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

/** Device id (EDNS option 65074) and MAC address (65001, 65073) in the query; a length of 0 means absent. */
export type ClientOptions = Readonly<Pick<Question, 'deviceAt' | 'deviceLength' | 'macAt' | 'macLength'>>;
export type DeviceOption = Pick<ClientOptions, 'deviceAt' | 'deviceLength'>;

/** A client without an id: the sender of a query, and the client behind the sender if the query has its MAC address. */
export type DescribedClient = {
  readonly address: Uint8Array | undefined;
  readonly mac: string | undefined;
  /** Names of the client in addition to the known ones. */
  readonly names?: readonly string[];
};

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
  /** The query was sent to an address that is reserved for devices, but no device has it. */
  | { readonly kind: 'drop' };

export type IdentifySettings = {
  /** Suffix of device host names, lower case: `.dns.example.org`. */
  readonly deviceSuffix: string;
  /** First 96 bits of the IPv6 addresses dedicated to devices. */
  readonly deviceNetwork: Uint8Array | undefined;
  readonly dedicatedPool: ReadonlySet<string>;
  /** An id, because profile names are not unique across accounts. */
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
 * Identifies the client of a query. An id that the query presents decides, even if it names no existing device: a wrong id must not
 * fall back to another client. Without one, a dedicated address decides, and then the identifiers of devices.
 */
export function identify(
  request: IdentifyingParts,
  options: ClientOptions,
  directory: Directory,
  settings: IdentifySettings,
): Identity {
  const identity =
    byPresentedId(request, options, directory, settings) ??
    byDedicatedAddress(request, directory, settings) ??
    byIdentifier(factsOf(describedBy(request, options), directory), directory)?.identity ??
    UNKNOWN;
  if (identity.kind === 'drop') return identity;
  const isUnknown = identity.kind === 'unknown' || identity.account.isSuspended;
  return isUnknown ? (profileForUnknown(request.client, directory, settings)?.identity ?? UNKNOWN) : identity;
}

export function byPresentedId(
  request: IdentifyingParts,
  option: DeviceOption,
  directory: Directory,
  settings: IdentifySettings,
): Identity | undefined {
  switch (request.transport) {
    case 'doh':
      if (request.login) return byLogin(request.login, directory);
      if (request.path !== undefined) return byText(request.path, directory);
      return byServerName(request, directory, settings);
    case 'dot':
      return byServerName(request, directory, settings);
    default:
      return option.deviceLength > 0 ? byOption(request.bytes, option, directory) : undefined;
  }
}

export function describedBy(request: IdentifyingParts, option: MacOption): DescribedClient {
  const length = trustedMacLength(request, option);
  const mac = length === 0 ? undefined : macText(request.bytes, option.macAt, length);
  return { address: request.client, mac };
}

/** The client behind a forwarder if the query has its MAC address, then the sender of the query. */
export function factsOf({ address, mac, names = [] }: DescribedClient, directory: Directory): readonly HostFacts[] {
  const hosts = directory.hosts();
  const sender = address && hosts.ofAddress(address);
  const facts = [...(mac === undefined ? [] : [hosts.ofMac(mac)]), ...(sender ? [sender] : [])];
  if (names.length === 0) return facts;
  const [client = { mac: undefined, addresses: [], names: [] }, ...others] = facts;
  return [{ ...client, names: [...client.names, ...namesOf(names)] }, ...others];
}

/** All identifiers that match, in the order in which they decide. */
export function* matchingIdentifiers(clients: readonly HostFacts[], directory: Directory): Generator<KnownIdentifier> {
  // A device that requires a login is identified by its login only.
  for (const facts of clients)
    for (const identifier of directory.matching(facts)) if (!identifier.identity.device.dohAuthOnly) yield identifier;
}

export const byIdentifier = (clients: readonly HostFacts[], directory: Directory): KnownIdentifier | undefined =>
  matchingIdentifiers(clients, directory).next().value;

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
  // Separator, so that the pairs ("ab", "c") and ("a", "bc") have different hashes.
  addByte(-1);
  return true;
}

/** In the order of `byPresentedId`. */
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

/** The DNS server for a client that matches no device, and the reason. */
export type UnknownClientProfile = {
  readonly kind: 'assigned network' | 'unknown-clients';
  readonly value: string;
  readonly identity: KnownProfile;
};

/** The setting of the operator applies to all unknown clients; without it, the network of the client decides. */
export function profileForUnknown(
  client: Uint8Array | undefined,
  directory: Directory,
  { unknownClients }: IdentifySettings,
): UnknownClientProfile | undefined {
  const knownProfile = unknownClients === 'refuse' ? undefined : directory.profile(unknownClients);
  const found: UnknownClientProfile | undefined =
    unknownClients === 'refuse'
      ? client && directory.byNetwork(client)
      : knownProfile && { kind: 'unknown-clients', value: unknownClients, identity: knownProfile };
  return found?.identity.account.isSuspended ? undefined : found;
}

function byLogin({ user, password }: NonNullable<IdentifyingParts['login']>, directory: Directory): Identity {
  const knownDevice = directory.byId(user.toLowerCase());
  // Compares passwords even if the device does not exist, so that response times do not reveal which devices exist.
  return isSameSecret(password, knownDevice?.device.dohPassword ?? '') && knownDevice ? knownDevice : UNKNOWN;
}

/** Identified without a password: not for devices that require one. */
const withoutLogin = (knownDevice: KnownDevice | undefined): Identity =>
  knownDevice && !knownDevice.device.dohAuthOnly ? knownDevice : UNKNOWN;

/** Undefined without a server name: Android in automatic mode sends none. */
function byServerName(
  { serverName }: IdentifyingParts,
  directory: Directory,
  settings: IdentifySettings,
): Identity | undefined {
  const label = serverName === undefined ? undefined : deviceLabel(serverName, settings.deviceSuffix);
  return label === undefined ? undefined : byText(label, directory);
}

/** The label before the device domain, in its original case: it may be a display name. */
function deviceLabel(name: string, suffix: string): string | undefined {
  const withoutDot = name.endsWith('.') ? name.slice(0, -1) : name;
  const label = withoutDot.slice(0, -suffix.length);
  const isOurs = withoutDot.slice(-suffix.length).toLowerCase() === suffix;
  return isOurs && label !== '' && !label.includes('.') ? label : undefined;
}

/** A device id, or the human-readable id of a self-registered device. */
function byText(text: string, directory: Directory): Identity {
  const knownDevice = directory.byId(text.toLowerCase());
  if (knownDevice) return withoutLogin(knownDevice);
  const humanId = parseHumanId(text);
  return humanId ? byHumanId(humanId, directory) : UNKNOWN;
}

function byHumanId(humanId: HumanId, directory: Directory): Identity {
  const knownDevice = directory.byHumanId(humanId.profile, humanId.humanId);
  if (knownDevice) return withoutLogin(knownDevice);
  const target = directory.profile(humanId.profile);
  if (!target?.profile.settings.autoConnectDevices) return UNKNOWN;
  const { profile, account } = target;
  if (account.deviceCount >= account.limits.devices) return UNKNOWN;
  return { kind: 'unknown human id', humanId, profile, account };
}

/** Accepts device ids only: plain DNS must not create devices, because its sources can be forged. */
function byOption(bytes: Uint8Array, { deviceAt: at, deviceLength }: DeviceOption, directory: Directory): Identity {
  if (deviceLength !== DEVICE_ID_LENGTHS.old && deviceLength !== DEVICE_ID_LENGTHS.new) return UNKNOWN;
  let id = '';
  for (let i = at; i < at + deviceLength; i++) id += letters[bytes[i]!];
  return withoutLogin(directory.byId(id));
}

const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte).toLowerCase());

export function byDedicatedAddress(
  { local }: IdentifyingParts,
  directory: Directory,
  { deviceNetwork, dedicatedPool }: IdentifySettings,
): Identity | undefined {
  if (deviceNetwork && isIn(deviceNetwork, local)) return ofDedicated(directory.byAddressSuffix(suffixOf(local)));
  const dedicated = directory.byDedicatedAddress(local);
  return dedicated || dedicatedPool.has(addressKey(local)) ? ofDedicated(dedicated) : undefined;
}

const ofDedicated = (knownDevice: KnownDevice | undefined): Identity =>
  knownDevice ? withoutLogin(knownDevice) : DROP;

const isIn = (network: Uint8Array, address: Uint8Array): boolean =>
  address.length > NETWORK_BYTES && network.every((byte, index) => address[index] === byte);

const suffixOf = (address: Uint8Array): string =>
  Buffer.from(address.buffer, address.byteOffset + NETWORK_BYTES, 4).toString('hex');

import { err, ok, type Result } from '../kit/result.ts';
import type { Device } from './device.ts';
import { type DnsHosts, deviceUrls } from './dns-addresses.ts';
import type { DomainError } from './domain-error.ts';
import { hasStandardPort, withoutPort } from './offered-hosts.ts';
import { type Plist, plistXml, withoutForbidden } from './plist.ts';
import { collectErrors, type FieldErrors } from './read-update.ts';

/** A deterministic hash of at least 16 bytes, such as SHA-256. */
export type Hash = (text: string) => Uint8Array;

type Exclusions = {
  /** Networks on which the profile is inactive, and domains resolved by the local resolver. */
  readonly wifiNetworks: readonly string[];
  readonly domains: readonly string[];
};

export type MobileConfig = {
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly protocol: 'DOH' | 'DOT';
  readonly hosts: Pick<DnsHosts, 'dohHost' | 'dotDomain' | 'serverName'> & {
    /** Part of the ids of profiles. */
    readonly deviceDomain: string;
    /** Addresses of the hosts, for devices without another resolver. */
    readonly serverAddresses?: readonly string[] | undefined;
  };
  readonly exclude: Exclusions;
};

const MAX_EXCLUSIONS = 100;
const MAX_SSID_BYTES = 32;

/** Unsigned configuration profile for Apple devices. Its ids depend only on the device, so that a new profile replaces the old one. */
export function mobileConfig(wanted: MobileConfig, hash: Hash): Result<string, DomainError> {
  const { protocol, hosts } = wanted;
  const isOffered =
    protocol === 'DOH'
      ? hosts.dohHost !== undefined
      : hosts.dotDomain !== undefined && hasStandardPort(hosts.dotDomain);
  if (!isOffered) return err({ kind: 'not offered', protocol });
  const errors = collectErrors();
  const exclude = readExclusions(wanted.exclude, errors);
  if (errors.found.length > 0) return err({ kind: 'invalid', errors: errors.found });
  return ok(plistXml(profile({ ...wanted, exclude }, hash)));
}

function readExclusions({ wifiNetworks, domains }: Exclusions, errors: FieldErrors): Exclusions {
  return {
    wifiNetworks: checked(wifiNetworks, 'exclude_wifi_networks', isSsid, 'a network name of 1 to 32 bytes', errors),
    domains: checked(domains.map(hostname), 'exclude_domain', isDomain, 'a domain name', errors),
  };
}

function checked(
  items: readonly string[],
  field: string,
  isRight: (text: string) => boolean,
  what: string,
  errors: FieldErrors,
): readonly string[] {
  if (items.length > MAX_EXCLUSIONS) errors.add(field, `at most ${MAX_EXCLUSIONS} entries`, 'limit reached');
  else
    for (const [index, item] of items.entries())
      if (!isRight(item)) errors.add(`${field}[${index}]`, `must be ${what}`);
  return [...new Set(items)];
}

const isSsid = (text: string): boolean =>
  text !== '' &&
  text === withoutForbidden(text) &&
  !/[\p{Cc}\u2028\u2029]/u.test(text) &&
  new TextEncoder().encode(text).length <= MAX_SSID_BYTES;

const hostname = (text: string): string => text.trim().toLowerCase().replace(/^\*\./, '').replace(/\.$/, '');

const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  text.split('.').every((label) => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(label));

function profile({ device, protocol, hosts, exclude }: MobileConfig, hash: Hash): Plist {
  const identifier = `${reversed(hosts.deviceDomain)}.${device.id}.${protocol.toLowerCase()}`;
  const title = `${hosts.serverName}: ${device.name}`;
  return {
    PayloadContent: [
      {
        DNSSettings: dnsSettings(device.id, protocol, hosts),
        OnDemandEnabled: 1,
        OnDemandRules: onDemandRules(exclude),
        PayloadDisplayName: title,
        PayloadIdentifier: `${identifier}.dns`,
        PayloadType: 'com.apple.dnsSettings.managed',
        PayloadUUID: uuid(hash(`${identifier} settings`)),
        PayloadVersion: 1,
        ProhibitDisablement: false,
      },
    ],
    PayloadDescription: `Sends the DNS queries of this device to ${hosts.serverName}, encrypted.`,
    PayloadDisplayName: title,
    PayloadIdentifier: identifier,
    PayloadRemovalDisallowed: false,
    PayloadType: 'Configuration',
    PayloadUUID: uuid(hash(`${identifier} profile`)),
    PayloadVersion: 1,
  };
}

function dnsSettings(id: Device['id'], protocol: MobileConfig['protocol'], hosts: MobileConfig['hosts']): Plist {
  const { serverAddresses = [] } = hosts;
  const addresses = serverAddresses.length > 0 ? { ServerAddresses: serverAddresses } : {};
  const server =
    protocol === 'DOH'
      ? { DNSProtocol: 'HTTPS', ServerURL: deviceUrls(id, hosts).doh }
      : { DNSProtocol: 'TLS', ServerName: withoutPort(`${id}.${hosts.dotDomain}`) };
  return { ...server, ...addresses };
}

// The first matching rule applies; the last matches all networks.
const onDemandRules = ({ wifiNetworks, domains }: Exclusions): Plist => [
  ...(wifiNetworks.length > 0 ? [{ Action: 'Disconnect', InterfaceTypeMatch: 'WiFi', SSIDMatch: wifiNetworks }] : []),
  ...(domains.length > 0
    ? [{ Action: 'EvaluateConnection', ActionParameters: [{ DomainAction: 'NeverConnect', Domains: domains }] }]
    : []),
  { Action: 'Connect' },
];

const reversed = (host: string): string => withoutPort(host).split('.').reverse().join('.');

/** UUID version 8 (RFC 9562 section 5.8). */
function uuid(hash: Uint8Array): string {
  const bytes = Array.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

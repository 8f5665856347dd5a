import { formatIp, type IpAddress, parseIpOf } from '../kit/ip-address.ts';
import type { Device } from './device.ts';
import type { DeviceId } from './ids.ts';

/** Host names and addresses of the resolver; a host may include a port. */
export type DnsHosts = {
  /** Undefined if devices cannot use DNS over HTTPS. */
  readonly dohHost: string | undefined;
  /** Parent domain of the device host names of DNS over TLS; undefined if devices cannot use it. */
  readonly dotDomain: string | undefined;
  /** Display name in clients. */
  readonly serverName: string;
  readonly plainIpv4: readonly string[];
  readonly plainIpv6: readonly string[];
};

/** Dedicated addresses of one device. */
export type DedicatedAddresses = { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };

type PlainAddress = { readonly ipAddress: string; readonly type: IpAddress['family'] };

/**
 * Named as on the wire, in camel case; URLs with authentication are present only if the device has a password. The contract requires the
 * other members: they are empty where devices cannot connect.
 */
export type DnsAddresses = {
  readonly dnsOverHttpsUrl: string;
  readonly dnsOverHttpsWithAuthUrl: string | undefined;
  readonly dnsOverTlsUrl: string;
  readonly dnsOverQuicUrl: string;
  readonly adguardDnsOverHttpsUrl: string;
  readonly adguardDnsOverHttpsWithAuthUrl: string | undefined;
  readonly adguardDnsOverTlsUrl: string;
  readonly adguardDnsOverQuicUrl: string;
  readonly adguardVpnDnsOverHttpsUrl: string;
  readonly adguardVpnDnsOverHttpsWithAuthUrl: string | undefined;
  readonly adguardVpnDnsOverTlsUrl: string;
  readonly adguardVpnDnsOverQuicUrl: string;
  readonly ipAddresses: readonly PlainAddress[];
};

type Addressed = Pick<Device, 'id' | 'dohPassword'>;

/** DNS over QUIC is not supported. */
const NO_QUIC = '';

/** All DNS addresses that identify a device. */
export function dnsAddresses(device: Addressed, hosts: DnsHosts, dedicated: DedicatedAddresses): DnsAddresses {
  const { dohHost } = hosts;
  const { doh, dot } = deviceUrls(device.id, hosts);
  const login =
    device.dohPassword === '' || dohHost === undefined ? undefined : `${device.id}:${encode(device.dohPassword)}@`;
  const withLogin = (app: string): string | undefined =>
    login && `${app}:add_dns_server?address=${encode('https://')}${login}${encode(`${dohHost}/dns-query`)}${named}`;
  const named = encode(`&name=`) + encode(hosts.serverName);
  const link = (app: string, url: string): string =>
    url === '' ? '' : `${app}:add_dns_server?address=${encode(url)}${named}`;
  return {
    dnsOverHttpsUrl: doh,
    dnsOverHttpsWithAuthUrl: login && `https://${login}${dohHost}/dns-query`,
    dnsOverTlsUrl: dot,
    dnsOverQuicUrl: NO_QUIC,
    adguardDnsOverHttpsUrl: link('adguard', doh),
    adguardDnsOverHttpsWithAuthUrl: withLogin('adguard'),
    adguardDnsOverTlsUrl: link('adguard', dot),
    adguardDnsOverQuicUrl: NO_QUIC,
    adguardVpnDnsOverHttpsUrl: link('adguardvpn', doh),
    adguardVpnDnsOverHttpsWithAuthUrl: withLogin('adguardvpn'),
    adguardVpnDnsOverTlsUrl: link('adguardvpn', dot),
    adguardVpnDnsOverQuicUrl: NO_QUIC,
    ipAddresses: plainAddresses(hosts, dedicated),
  };
}

export const deviceUrls = (id: DeviceId, { dohHost, dotDomain }: Pick<DnsHosts, 'dohHost' | 'dotDomain'>) => ({
  doh: dohHost === undefined ? '' : `https://${dohHost}/dns-query/${id}`,
  dot: dotDomain === undefined ? '' : `tls://${id}.${dotDomain}`,
});

// Clients use the first address of a family, so dedicated addresses precede shared ones.
const plainAddresses = (hosts: DnsHosts, dedicated: DedicatedAddresses): PlainAddress[] => [
  ...[...dedicated.ipv4, ...hosts.plainIpv4].map((ipAddress) => ({ ipAddress, type: 'V4' }) as const),
  ...[...dedicated.ipv6, ...hosts.plainIpv6].map((ipAddress) => ({ ipAddress, type: 'V6' }) as const),
];

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The IPv6 address of a device in a /96 network. */
export function ipv6OfDevice(network: string, device: Pick<Device, 'id' | 'addressSuffix'>): string | undefined {
  const ip = parseIpOf('V6', network.replace(/\/96$/, ''));
  if (!ip) return undefined;
  const suffix = device.addressSuffix ?? device.id;
  const last = [0, 2, 4, 6].map((at) => Number.parseInt(suffix.slice(at, at + 2), 16));
  return formatIp({ family: 'V6', bytes: [...ip.bytes.slice(0, 12), ...last] });
}

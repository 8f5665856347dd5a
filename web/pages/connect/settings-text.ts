import type { Device, Networks } from '../../api/wire.ts';

type DeviceAddresses = {
  readonly id: string;
  readonly dns_addresses: Pick<Device['dns_addresses'], 'dns_over_https_url' | 'dns_over_tls_url' | 'ip_addresses'>;
};

type PlainServer = Networks['dns_addresses'][number];

/** Placeholder if the address of the server is unknown. */
export const UNKNOWN_ADDRESS = 'ADDRESS';

export const DNS_PORT = 53;
const DOT_PORT = '853';

export const dotNameOf = ({ dns_addresses }: DeviceAddresses): string =>
  dns_addresses.dns_over_tls_url.replace('tls://', '');

/**
 * The ways in which a device can use the server. `private dns`: DNS over TLS on its standard port, the only one that phones know.
 * `profile`: what configuration profiles can contain.
 */
export type Protocol = 'doh' | 'dot' | 'private dns' | 'profile' | 'plain';

export function isOffered(device: DeviceAddresses, protocol: Protocol): boolean {
  switch (protocol) {
    case 'plain':
      return true;
    case 'doh':
      return device.dns_addresses.dns_over_https_url !== '';
    case 'profile':
      return isOffered(device, 'doh') || isOffered(device, 'private dns');
    case 'dot':
      return dotNameOf(device) !== '';
    case 'private dns':
      return dotNameOf(device) !== '' && [undefined, DOT_PORT].includes(dotPort(device));
  }
}

const dotPort = (device: DeviceAddresses): string | undefined => /:(\d+)$/.exec(dotNameOf(device))?.[1];

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host === '::1' || host.startsWith('127.');

/** Where plain DNS is reached, as far as the page can know it. `local`: the addresses of the server in its network. */
export function plainServer(
  { dns_addresses }: DeviceAddresses,
  local: readonly PlainServer[],
  pageHost: string,
): PlainServer {
  const [address] = dns_addresses.ip_addresses ?? [];
  if (address) return { address: address.ip_address, port: DNS_PORT };
  const inNetwork = local.find((each) => !isLoopback(each.address));
  if (inNetwork) return inNetwork;
  const port = local[0]?.port ?? DNS_PORT;
  const isAddress = /^\d+(\.\d+){3}$/.test(pageHost) || pageHost.startsWith('[');
  return isAddress && !isLoopback(pageHost)
    ? { address: pageHost.replaceAll(/[[\]]/g, ''), port }
    : { address: UNKNOWN_ADDRESS, port };
}

/** Command that confirms a pending address when it is run in that network. */
export const proofCommand = ({ address, port }: PlainServer, proofName: string): string =>
  `dig @${address}${port === DNS_PORT ? '' : ` -p ${port}`} -c CH -t TXT ${proofName}`;

/** Configuration files and commands with the addresses of the device. */
export function settingsOf(device: DeviceAddresses, { address, port }: PlainServer) {
  const name = dotNameOf(device).replace(/:\d+$/, '');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const dot = dotPort(device);
  const hostAndPort = dot === undefined ? address : `${family === 'ipv6' ? `[${address}]` : address}:${dot}`;
  return {
    resolved: `[Resolve]\nDNS=${hostAndPort}#${name}\nDNSOverTLS=yes\nDomains=~.`,
    restartResolved: 'sudo systemctl restart systemd-resolved',
    networkManager: [
      `nmcli connection modify "NAME" ${family}.dns "${address}#${name}" \\`,
      `  ${family}.ignore-auto-dns yes connection.dns-over-tls yes`,
      'nmcli connection up "NAME"',
    ].join('\n'),
    windows: [
      `Add-DnsClientDohServer -ServerAddress ${address} \``,
      `  -DohTemplate "${device.dns_addresses.dns_over_https_url}" \``,
      '  -AllowFallbackToUdp $False -AutoUpgrade $True',
    ].join('\n'),
    dnsmasq: `server=${address}${port === DNS_PORT ? '' : `#${port}`}\nadd-cpe-id=${device.id}`,
  };
}

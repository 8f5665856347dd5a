import type { Device } from '../../api/wire.ts';

type Addressed = {
  readonly id: string;
  readonly dns_addresses: Pick<Device['dns_addresses'], 'dns_over_https_url' | 'dns_over_tls_url' | 'ip_addresses'>;
};

/** In the place of an address that only people know. */
export const UNKNOWN_ADDRESS = 'ADDRESS';

export const dotNameOf = ({ dns_addresses }: Addressed): string => dns_addresses.dns_over_tls_url.replace('tls://', '');

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** By which address the resolver is reached in this network, as far as it can be told from here. */
export function resolverAddress({ dns_addresses }: Addressed, pageHost: string): string {
  const [known] = dns_addresses.ip_addresses ?? [];
  if (known) return known.ip_address;
  const isAddress = /^\d+(\.\d+){3}$/.test(pageHost) || pageHost.startsWith('[');
  return isAddress && !isLoopback(pageHost) ? pageHost.replaceAll(/[[\]]/g, '') : UNKNOWN_ADDRESS;
}

/** Run in the network of a pending address, it links that address. */
export const proofCommand = (device: Addressed, pageHost: string, proofName: string): string =>
  `dig @${resolverAddress(device, pageHost)} -c CH -t TXT ${proofName}`;

/** What stands in files and commands, with the addresses of this device in it. */
export function settingsOf(device: Addressed, pageHost: string) {
  const address = resolverAddress(device, pageHost);
  const dot = `${address}#${dotNameOf(device)}`;
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  return {
    resolved: `[Resolve]\nDNS=${dot}\nDNSOverTLS=yes\nDomains=~.`,
    restartResolved: 'sudo systemctl restart systemd-resolved',
    networkManager: [
      `nmcli connection modify "NAME" ${family}.dns "${dot}" \\`,
      `  ${family}.ignore-auto-dns yes connection.dns-over-tls yes`,
      'nmcli connection up "NAME"',
    ].join('\n'),
    windows: [
      `Add-DnsClientDohServer -ServerAddress ${address} \``,
      `  -DohTemplate "${device.dns_addresses.dns_over_https_url}" \``,
      '  -AllowFallbackToUdp $False -AutoUpgrade $True',
    ].join('\n'),
    dnsmasq: `server=${address}\nadd-cpe-id=${device.id}`,
  };
}

import type { Device } from '../../api/wire.ts';

type DeviceAddresses = {
  readonly id: string;
  readonly dns_addresses: Pick<Device['dns_addresses'], 'dns_over_https_url' | 'dns_over_tls_url' | 'ip_addresses'>;
};

/** Placeholder if the address of the server is unknown. */
export const UNKNOWN_ADDRESS = 'ADDRESS';

export const dotNameOf = ({ dns_addresses }: DeviceAddresses): string =>
  dns_addresses.dns_over_tls_url.replace('tls://', '');

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** IP address of the DNS server, as far as the page can know it. */
export function resolverAddress({ dns_addresses }: DeviceAddresses, pageHost: string): string {
  const [address] = dns_addresses.ip_addresses ?? [];
  if (address) return address.ip_address;
  const isAddress = /^\d+(\.\d+){3}$/.test(pageHost) || pageHost.startsWith('[');
  return isAddress && !isLoopback(pageHost) ? pageHost.replaceAll(/[[\]]/g, '') : UNKNOWN_ADDRESS;
}

/** Command that confirms a pending address when it is run in that network. */
export const proofCommand = (device: DeviceAddresses, pageHost: string, proofName: string): string =>
  `dig @${resolverAddress(device, pageHost)} -c CH -t TXT ${proofName}`;

/** Configuration files and commands with the addresses of the device. */
export function settingsOf(device: DeviceAddresses, pageHost: string) {
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

import Type, { type Static } from 'typebox';
import { type Device as DomainDevice, deviceTypes } from '../../domain/device.ts';
import type {
  DedicatedAddress,
  NewDevice,
  DeviceSettingsUpdate as OwnSettingsUpdate,
  DeviceUpdate as OwnUpdate,
} from '../../domain/device-rules.ts';
import type { DnsAddresses } from '../../domain/dns-addresses.ts';
import { Limit } from './limits.ts';
import { enumeration, object } from './named.ts';
import { Navigation } from './pages.ts';

const ConnectDeviceType = enumeration('ConnectDeviceType', deviceTypes);
const IpType = enumeration('IpType', ['V4', 'V6']);

const IpAddress = object('IpAddress', 'An IP address and its family.', { ip_address: Type.String(), type: IpType });

const text = Type.String;

export const DNSAddresses = object('DNSAddresses', 'DNS server addresses that identify this device.', {
  adguard_dns_over_https_url: text(),
  adguard_dns_over_https_with_auth_url: Type.Optional(text()),
  adguard_dns_over_quic_url: text(),
  adguard_dns_over_tls_url: text(),
  adguard_vpn_dns_over_https_url: text(),
  adguard_vpn_dns_over_https_with_auth_url: Type.Optional(text()),
  adguard_vpn_dns_over_quic_url: text(),
  adguard_vpn_dns_over_tls_url: text(),
  dns_over_https_url: text(),
  dns_over_https_with_auth_url: Type.Optional(
    text({ description: 'Contains the password of the device. Absent for viewers.' }),
  ),
  dns_over_quic_url: text(),
  dns_over_tls_url: text(),
  ip_addresses: Type.Optional(Type.Array(IpAddress, { description: 'Plain DNS addresses.' })),
});

export const DeviceSettings = object('DeviceSettings', 'Device settings.', {
  detect_doh_auth_only: Type.Boolean({
    description: 'The device is identified only by DNS over HTTPS with its password.',
  }),
  protection_enabled: Type.Boolean(),
});

export const DeviceSettingsUpdate = object('DeviceSettingsUpdate', 'Device settings update.', {
  detect_doh_auth_only: Type.Optional(Type.Boolean()),
  protection_enabled: Type.Optional(Type.Boolean()),
});

export const Device = object('Device', 'A device.', {
  device_type: ConnectDeviceType,
  dns_addresses: DNSAddresses,
  dns_server_id: text(),
  id: text(),
  name: text(),
  settings: DeviceSettings,
});

const name = text({ minLength: 1, maxLength: 64 });

export const DeviceCreate = object('DeviceCreate', 'A new device.', {
  device_type: ConnectDeviceType,
  dns_server_id: text(),
  name,
});

export const DeviceUpdate = object('DeviceUpdate', 'Device update.', {
  device_type: Type.Optional(ConnectDeviceType),
  dns_server_id: Type.Optional(text()),
  name: Type.Optional(name),
});

export const DevicesResponse = object('DevicesResponse', 'A page of devices, newest first.', {
  items: Type.Array(Device),
  navigation: Navigation,
});

export const DedicatedIPv4Address = object('DedicatedIPv4Address', 'A dedicated IPv4 address.', {
  device_id: Type.Optional(text({ description: 'Absent if the address is not linked to a device.' })),
  ip: text(),
});

export const DedicatedIps = object('DedicatedIps', 'The dedicated addresses of a device.', {
  ipv4: Type.Array(text()),
  ipv4_limit: Limit,
  ipv6: Type.Array(text()),
});

export const LinkDedicatedIPv4 = object('LinkDedicatedIPv4', 'Dedicated IPv4 address to link.', { ip: text() });

const addressesToWire = (addresses: DnsAddresses): Static<typeof DNSAddresses> => ({
  adguard_dns_over_https_url: addresses.adguardDnsOverHttpsUrl,
  ...optional('adguard_dns_over_https_with_auth_url', addresses.adguardDnsOverHttpsWithAuthUrl),
  adguard_dns_over_quic_url: addresses.adguardDnsOverQuicUrl,
  adguard_dns_over_tls_url: addresses.adguardDnsOverTlsUrl,
  adguard_vpn_dns_over_https_url: addresses.adguardVpnDnsOverHttpsUrl,
  ...optional('adguard_vpn_dns_over_https_with_auth_url', addresses.adguardVpnDnsOverHttpsWithAuthUrl),
  adguard_vpn_dns_over_quic_url: addresses.adguardVpnDnsOverQuicUrl,
  adguard_vpn_dns_over_tls_url: addresses.adguardVpnDnsOverTlsUrl,
  dns_over_https_url: addresses.dnsOverHttpsUrl,
  ...optional('dns_over_https_with_auth_url', addresses.dnsOverHttpsWithAuthUrl),
  dns_over_quic_url: addresses.dnsOverQuicUrl,
  dns_over_tls_url: addresses.dnsOverTlsUrl,
  ip_addresses: addresses.ipAddresses.map(({ ipAddress, type }) => ({ ip_address: ipAddress, type })),
});

const optional = <Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string };

export const deviceSettingsToWire = (device: DomainDevice): Static<typeof DeviceSettings> => ({
  detect_doh_auth_only: device.dohAuthOnly,
  protection_enabled: device.protectionEnabled,
});

export const deviceToWire = (device: DomainDevice, addresses: DnsAddresses): Static<typeof Device> => ({
  device_type: device.type,
  dns_addresses: addressesToWire(addresses),
  dns_server_id: device.profile,
  id: device.id,
  name: device.name,
  settings: deviceSettingsToWire(device),
});

export const newDeviceFromWire = (wanted: Static<typeof DeviceCreate>): NewDevice => ({
  name: wanted.name,
  type: wanted.device_type,
  profile: wanted.dns_server_id,
});

export const deviceUpdateFromWire = (update: Static<typeof DeviceUpdate>): OwnUpdate => ({
  name: update.name,
  type: update.device_type,
  profile: update.dns_server_id,
});

export const deviceSettingsFromWire = (update: Static<typeof DeviceSettingsUpdate>): OwnSettingsUpdate => ({
  protectionEnabled: update.protection_enabled,
  dohAuthOnly: update.detect_doh_auth_only,
});

export const dedicatedToWire = ({ ip, device }: DedicatedAddress): Static<typeof DedicatedIPv4Address> => ({
  ...(device !== undefined && { device_id: device }),
  ip,
});

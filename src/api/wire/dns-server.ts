import Type, { type Static } from 'typebox';
import type { Profile } from '../../domain/profile.ts';
import { DNSServerSettings, DNSServerSettingsUpdate } from './dns-server-settings.ts';
import { int32, object } from './named.ts';
import { Navigation } from './pages.ts';
import { settingsToWire } from './settings-mapping.ts';

export const DNSServer = object('DNSServer', 'A DNS server: the filtering settings of its devices.', {
  default: Type.Boolean({ description: 'Every account has one default DNS server, which cannot be deleted.' }),
  device_ids: Type.Array(Type.String()),
  devices_count: int32(),
  id: Type.String(),
  name: Type.String(),
  settings: DNSServerSettings,
});

const name = Type.String({ minLength: 1, maxLength: 64 });

export const DNSServerCreate = object('DNSServerCreate', 'DNS server to create.', {
  name,
  settings: Type.Optional(DNSServerSettingsUpdate),
});

export const DNSServerUpdate = object('DNSServerUpdate', 'DNS server update.', {
  name: Type.Optional(name),
});

export const DnsServersResponse = object('DnsServersResponse', 'A page of DNS servers, newest first.', {
  items: Type.Array(DNSServer),
  navigation: Navigation,
});

export const dnsServerToWire = (
  { id, name, isDefault, settings }: Profile,
  deviceIds: readonly string[],
): Static<typeof DNSServer> => ({
  default: isDefault,
  device_ids: [...deviceIds],
  devices_count: deviceIds.length,
  id,
  name,
  settings: settingsToWire(settings),
});

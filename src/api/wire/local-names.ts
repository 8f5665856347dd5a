import Type, { type Static } from 'typebox';
import type { ForwardRule as Rule } from '../../domain/forward-rules.ts';
import { localRecordTypes, MAX_RECORD_TTL, type LocalRecord as Record } from '../../domain/local-records.ts';
import { enumeration, int32, object } from './named.ts';
import { Strategy } from './profile-extensions.ts';

const MAX_NAME = 512;
const server = Type.Optional(Type.String({ maxLength: 64, description: 'Absent: all DNS servers of the account.' }));

const record = {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    description: 'Domain name; `*.example.org` matches all names below. For PTR also an IP address.',
  }),
  type: enumeration('LocalRecordType', localRecordTypes),
  value: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'An address, a name, text, or for SRV `priority weight port target`.',
  }),
  ttl: Type.Optional(int32({ minimum: 0, maximum: MAX_RECORD_TTL, description: 'Seconds; default: 60.' })),
  dns_server_id: server,
};

export const LocalRecordInput = object('LocalRecordInput', 'A local record to store.', record);
export const LocalRecord = object('LocalRecord', 'A DNS record that is answered to the clients of the account.', {
  id: Type.String(),
  ...record,
});

export const HostsImport = object('HostsImport', 'A hosts file to import as local records.', {
  hosts: Type.String({ maxLength: 1024 * 1024, description: 'Lines of an address and its names, as in /etc/hosts.' }),
  dns_server_id: server,
});
export const HostsImportResult = object('HostsImportResult', 'Result of an import.', {
  added: int32({ description: 'Number of new records.' }),
  unchanged: int32({ description: 'Number of records that existed already.' }),
  errors: Type.Array(
    object('HostsLineError', 'A line that was not imported.', { line: int32(), message: Type.String() }),
  ),
});

const rule = {
  domain: Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    description: 'The domain and all names below it; or a network such as `192.168.1.0/24` for its reverse zone.',
  }),
  upstreams: Type.Array(Type.String({ maxLength: 2048 }), {
    maxItems: 64,
    description: 'For example `192.168.1.1` or `tls://dns.example`; at most eight.',
  }),
  strategy: Type.Optional(Strategy),
  dns_server_id: server,
};

export const ForwardRuleInput = object('ForwardRuleInput', 'A forwarding rule to store.', rule);
export const ForwardRule = object('ForwardRule', 'Upstreams for a domain.', { id: Type.String(), ...rule });
export const ForwardRules = object('ForwardRules', 'The forwarding rules of the account.', {
  forward_rules: Type.Array(ForwardRule),
  may_be_private: Type.Boolean({ description: 'Whether the caller may forward to private addresses.' }),
});

const domains = (description: string) =>
  Type.Array(Type.String({ maxLength: MAX_NAME }), { maxItems: 1000, description });

const settings = {
  dns64: Type.Optional(
    object('DNS64Settings', 'NAT64 prefix for names without IPv6 addresses (RFC 6147).', {
      prefix: Type.Optional(Type.String({ maxLength: 64, description: 'Default: `64:ff9b::/96`.' })),
    }),
  ),
  rebinding_allowed: domains('Domains whose names may have private addresses.'),
  search_domains: domains('Appended to names with one label, in this order, for local records and forwarded domains.'),
};

export const LocalNameSettingsUpdate = object('LocalNameSettingsUpdate', 'Omit `dns64` to disable it.', settings);
export const LocalNameSettings = object('LocalNameSettings', 'Settings of a DNS server for local names.', {
  ...settings,
  rebinding_presets: Type.Array(
    object('RebindingPreset', 'A public domain whose names have private addresses by design.', {
      domain: Type.String(),
      description: Type.String(),
    }),
  ),
});

export const localRecordToWire = ({
  id,
  profile,
  name,
  type,
  value,
  ttlSeconds,
}: Record): Static<typeof LocalRecord> => ({
  id,
  name,
  type,
  value,
  ...(ttlSeconds !== undefined && { ttl: ttlSeconds }),
  ...(profile !== undefined && { dns_server_id: profile }),
});

export const localRecordFromWire = ({ name, type, value, ttl, dns_server_id }: Static<typeof LocalRecordInput>) => ({
  name,
  type,
  value,
  ttlSeconds: ttl,
  profile: dns_server_id,
});

export const forwardRuleToWire = ({ id, profile, domain, upstreams, strategy }: Rule): Static<typeof ForwardRule> => ({
  id,
  domain,
  upstreams: [...upstreams],
  ...(strategy && { strategy }),
  ...(profile !== undefined && { dns_server_id: profile }),
});

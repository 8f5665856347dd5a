import Type, { type Static } from 'typebox';
import type { SystemState } from '../deps.ts';
import { heldBack } from './list-health.ts';
import { int32, int64, object } from './named.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });
const counts = (description: string) => Type.Record(Type.String(), Type.Number(), { description });

export const Backup = object('Backup', 'A backup file on the server.', {
  file: Type.String({ description: 'Path of the file.' }),
  size_bytes: int64(),
  time_created: time('Time of the backup.'),
});

const Update = object('SystemUpdate', 'The check for a newer version; absent without the setting `update-url`.', {
  version: Type.Optional(Type.String({ description: 'The newer version; absent if none is known.' })),
  time_checked: Type.Optional(time('Time of the last check.')),
  problem: Type.Optional(Type.String({ description: 'Why the last check failed.' })),
});

const Listener = object('SystemListener', 'A listener.', {
  name: Type.String({ description: '`http`, `dns`, `dot` or `doh`.' }),
  host: Type.String(),
  port: int32(),
});

const Upstream = object('SystemUpstream', 'An upstream.', {
  upstream: Type.String(),
  is_in: Type.Boolean({ description: 'False while the upstream is suspended after failures.' }),
  problem: Type.Optional(Type.String()),
  latency_ms: Type.Optional(Type.Number({ description: 'Smoothed response time; absent before the first query.' })),
  asked: int64(),
  answered: int64(),
  failed: int64(),
});

export const SystemList = object('SystemList', 'A filter list of the operator or the catalogue that is in use.', {
  filter_id: Type.String(),
  is_in_use: Type.Boolean(),
  rules_count: int32(),
  time_updated: Type.Optional(time('Time when this version was downloaded.')),
  problem: Type.Optional(Type.String()),
  is_held_back: heldBack,
});

const Ocsp = object('SystemOcsp', 'The OCSP response that is stapled to handshakes with a certificate.', {
  status: Type.Enum(['stapled', 'missing', 'revoked'], {
    type: 'string',
    description: '`missing`: no valid response was received; `revoked`: the authority has revoked the certificate.',
  }),
  is_required: Type.Boolean({ description: 'Whether clients may refuse the certificate without a response.' }),
  time_ends: Type.Optional(time('Expiry of the response.')),
  time_next_attempt: Type.Optional(time('Time of the next request to the responder.')),
  problem: Type.Optional(Type.String({ description: 'Why the last request failed.' })),
});

const Certificate = object('SystemCertificate', 'A certificate of DNS over TLS and HTTPS that is in use.', {
  domains: Type.Array(Type.String()),
  issuer: Type.String({ description: 'Organisation and name of the authority.' }),
  key_type: Type.String({ description: '`ECDSA`, `RSA` or `Ed25519`.' }),
  time_starts: time('Start of the validity.'),
  time_ends: time('Expiry.'),
  is_self_signed: Type.Boolean({ description: 'True for the test certificate, which clients do not trust.' }),
  ocsp: Type.Optional(Ocsp),
});

const Acme = object('SystemAcme', 'The certificate that is requested from a certificate authority with ACME.', {
  domains: Type.Array(Type.String()),
  directory: Type.String({ description: 'URL of the directory of the authority.' }),
  challenge: Type.String({ description: '`http-01`, `tls-alpn-01` or `dns-01`.' }),
  has_certificate: Type.Boolean({ description: 'Whether the authority has issued a certificate for these domains.' }),
  time_last_attempt: Type.Optional(time('Time of the last request.')),
  time_next_attempt: time('Time of the next request: the renewal, or the next attempt after a failure.'),
  last_error: Type.Optional(
    object('SystemAcmeError', 'The failure of the last request.', {
      time: time('Time of the failure.'),
      text: Type.String({ description: 'The message of the authority.' }),
      domain: Type.Optional(Type.String({ description: 'The domain that could not be validated.' })),
      remedy: Type.Optional(
        Type.String({
          description: 'Id of the suggested remedy: `port80`, `port443`, `address`, `delegate`, `network`, …',
        }),
      ),
      advice: Type.Optional(Type.String({ description: 'The suggested remedy as a text.' })),
      records: Type.Optional(Type.Array(Type.String(), { description: 'DNS records that the remedy needs.' })),
    }),
  ),
});

const Dns = object('SystemDns', 'The resolver.', {
  are_settings_current: Type.Boolean({
    description: 'False while DNS uses the last known settings because the store is unavailable.',
  }),
  accounts: int32(),
  devices: int32(),
  upstreams: Type.Array(Upstream),
  lists: Type.Array(SystemList),
  custom_lists: int32({ description: 'Number of custom lists in use, without details.' }),
  cache_entries: int64(),
  cache_bytes: int64(),
  udp: counts('Plain DNS packets by outcome.'),
  time_certificate_ends: Type.Optional(time('Expiry of the certificate of DNS over TLS and HTTPS that expires first.')),
  certificates: Type.Array(Certificate),
});

const Records = object('SystemRecords', 'Query log ingestion.', {
  written: int64(),
  stored: int64(),
  waiting: int64(),
  lag_ms: int64(),
  dropped: counts('By reason.'),
});

export const System = object('System', 'System status.', {
  version: Type.String(),
  update: Type.Optional(Update),
  node_version: Type.String(),
  database: Type.String({ description: '`sqlite` or `postgres`.' }),
  time_started: time('Start time of the program.'),
  memory_bytes: int64(),
  listeners: Type.Array(Listener),
  dns: Type.Optional(Dns),
  acme: Type.Optional(Acme),
  records: Records,
  last_backup: Type.Optional(Backup),
});

const iso = (ms: number): string => new Date(ms).toISOString();

export const backupToWire = ({ file, bytes, at }: NonNullable<SystemState['lastBackup']>): Static<typeof Backup> => ({
  file,
  size_bytes: bytes,
  time_created: iso(at),
});

export const systemToWire = (state: SystemState): Static<typeof System> => ({
  version: state.version,
  ...(state.update && { update: updateToWire(state.update) }),
  node_version: state.nodeVersion,
  database: state.database,
  time_started: iso(state.startedAt),
  memory_bytes: state.memoryBytes,
  listeners: state.listeners.map(({ name, host, port }) => ({ name, host, port })),
  ...(state.dns && { dns: dnsToWire(state.dns) }),
  ...(state.acme && { acme: acmeToWire(state.acme) }),
  records: {
    written: state.records.written,
    stored: state.records.stored,
    waiting: state.records.waiting,
    lag_ms: Math.round(state.records.lagMs),
    dropped: { ...state.records.dropped },
  },
  ...(state.lastBackup && { last_backup: backupToWire(state.lastBackup) }),
});

const updateToWire = ({ version, checkedAt, problem }: NonNullable<SystemState['update']>): Static<typeof Update> => ({
  ...(version !== undefined && { version }),
  ...(checkedAt !== undefined && { time_checked: iso(checkedAt) }),
  ...(problem !== undefined && { problem }),
});

const acmeToWire = (acme: NonNullable<SystemState['acme']>): Static<typeof Acme> => ({
  domains: [...acme.domains],
  directory: acme.directory,
  challenge: acme.challenge,
  has_certificate: acme.certificate === 'valid',
  ...(acme.lastAttemptAt !== undefined && { time_last_attempt: iso(acme.lastAttemptAt) }),
  time_next_attempt: iso(acme.nextAttemptAt),
  ...(acme.lastError && {
    last_error: {
      time: iso(acme.lastError.at),
      text: acme.lastError.text,
      ...(acme.lastError.domain !== undefined && { domain: acme.lastError.domain }),
      ...(acme.lastError.advice && {
        remedy: acme.lastError.advice.remedy,
        advice: acme.lastError.advice.text,
        records: [...acme.lastError.advice.records],
      }),
    },
  }),
});

type ListState = NonNullable<SystemState['dns']>['lists'][number];

export const systemListToWire = (list: ListState): Static<typeof SystemList> => ({
  filter_id: list.id,
  is_in_use: list.isLoaded,
  rules_count: list.rules,
  ...(list.fetchedAt !== undefined && { time_updated: iso(list.fetchedAt) }),
  ...(list.problem && { problem: list.problem.why }),
  is_held_back: list.isHeldBack,
});

type CertificateState = NonNullable<SystemState['dns']>['certificates'][number];

const certificateToWire = (certificate: CertificateState): Static<typeof Certificate> => ({
  domains: [...certificate.domains],
  issuer: certificate.issuer,
  key_type: certificate.keyType,
  time_starts: iso(certificate.startsAt),
  time_ends: iso(certificate.expiresAt),
  is_self_signed: certificate.isSelfSigned,
  ...(certificate.ocsp && { ocsp: ocspToWire(certificate.ocsp) }),
});

const ocspToWire = ({
  status,
  isRequired,
  endsAt,
  nextAttemptAt,
  problem,
}: NonNullable<CertificateState['ocsp']>): Static<typeof Ocsp> => ({
  status,
  is_required: isRequired,
  ...(endsAt !== undefined && { time_ends: iso(endsAt) }),
  ...(nextAttemptAt !== undefined && { time_next_attempt: iso(nextAttemptAt) }),
  ...(problem !== undefined && { problem }),
});

const dnsToWire = (dns: NonNullable<SystemState['dns']>): Static<typeof Dns> => ({
  are_settings_current: dns.areSettingsCurrent,
  accounts: dns.accounts,
  devices: dns.devices,
  upstreams: dns.upstreams.map(({ upstream, state, why, latencyMs, asked, answered, failed }) => ({
    upstream,
    is_in: state === 'in',
    ...(why !== undefined && { problem: why }),
    ...(latencyMs !== undefined && { latency_ms: Math.round(latencyMs * 10) / 10 }),
    asked,
    answered,
    failed: Object.values(failed).reduce((sum: number, count) => sum + (count ?? 0), 0),
  })),
  lists: dns.lists.map(systemListToWire),
  custom_lists: dns.customLists,
  cache_entries: dns.cache.entries,
  cache_bytes: dns.cache.bytes,
  udp: { ...dns.udp },
  ...(dns.certificateEndsAt !== undefined && { time_certificate_ends: iso(dns.certificateEndsAt) }),
  certificates: dns.certificates.map(certificateToWire),
});

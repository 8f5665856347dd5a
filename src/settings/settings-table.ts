import { accountSettings } from './account-settings.ts';
import { certificateSettings } from './certificate-settings.ts';
import { dnsSettings } from './dns-settings.ts';
import {
  addresses,
  choice,
  count,
  type Decoded,
  file,
  folder,
  host,
  hostNames,
  ipv4Addresses,
  KIB,
  listen,
  listenOrOff,
  MIB,
  network96,
  networks,
  operator,
  ports,
  type Setting,
  seconds,
  size,
  systemUser,
  text,
  url,
} from './setting-kinds.ts';

const DAY = 86_400;

// Types, checks, errors, help, documentation and JSON schema of all settings are derived from this table.
export const settingsTable = {
  config: {
    name: 'config',
    kind: file(),
    section: 'General',
    help: 'YAML file with settings',
  },
  data: {
    name: 'data',
    kind: folder(),
    default: 'weir-data',
    section: 'General',
    help: 'data folder: settings, query log, filter lists, cache',
  },
  role: {
    name: 'role',
    kind: choice('all', 'api', 'dns', 'compile'),
    default: 'all',
    section: 'General',
    help: 'services of this node: all of them; api: web interface, APIs and compile service, without DNS; dns: DNS only, with the accounts in database; compile: the compile service only, without accounts',
  },
  user: {
    name: 'user',
    kind: systemUser(),
    default: 'auto',
    section: 'General',
    help: 'user to run as after a start as root, once the ports are bound: a name, or numbers as 65532:65532; auto is the user weir, or 65532 where it does not exist',
  },
  log: {
    name: 'log',
    kind: choice('text', 'json'),
    default: 'text',
    section: 'General',
    help: 'log format: readable text, or JSON for log collectors',
  },
  logLevel: {
    name: 'log-level',
    kind: choice('trace', 'debug', 'info', 'warn', 'error'),
    default: 'info',
    section: 'General',
    help: 'minimum log level',
  },
  updateUrl: {
    name: 'update-url',
    kind: url('https:', 'http:'),
    section: 'General',
    help: 'URL that is read once a day for the newest version, such as that of a release API: JSON with version or tag_name, or text; without it nothing is requested',
  },
  http: {
    name: 'http',
    kind: listen(),
    default: 'private:8080',
    section: 'Listening',
    help: 'address of the web interface and APIs: private:8080 means loopback and the private addresses of this machine, :8080 all addresses; port 0 means any free port',
  },
  admin: {
    name: 'admin',
    kind: listenOrOff(),
    default: '127.0.0.1:8081',
    section: 'Listening',
    help: 'address of the metrics (Prometheus) and status pages; if not set and the port is in use, a free port is taken',
  },
  sharePorts: {
    name: 'share-ports',
    kind: choice('off', 'on'),
    default: 'off',
    section: 'Listening',
    help: 'on: a second process of the same user can listen on the same ports (SO_REUSEPORT) and take over before this one stops',
  },
  drainSeconds: {
    name: 'drain',
    kind: seconds(0, 3600),
    default: '0s',
    section: 'Listening',
    help: 'time between SIGTERM and the end of DNS and HTTP, in which /health/ready answers 503 and load balancers stop sending',
  },
  trustedProxy: {
    name: 'trusted-proxy',
    kind: networks(),
    default: '',
    section: 'Listening',
    help: 'networks of proxies whose X-Forwarded-For header is trusted',
  },
  httpConnectionsPerAddress: {
    name: 'http-connections-per-address',
    kind: count(1, 1_000_000),
    default: '100',
    section: 'Listening',
    help: 'maximum open HTTP connections per address (IPv6: per /64); trusted proxies are exempt',
  },
  httpsRedirect: {
    name: 'https-redirect',
    kind: choice('on', 'off'),
    default: 'off',
    section: 'Listening',
    help: 'whether plain HTTP redirects to HTTPS on the port of DNS over HTTPS, with Strict-Transport-Security (HSTS) in HTTPS responses',
  },
  publicUrl: {
    name: 'public-url',
    kind: url('https:', 'http:'),
    section: 'Listening',
    help: 'URL under which users reach the service, if it differs from the listen address; on loopback only this host name and local names are accepted',
  },
  ...dnsSettings,
  ...certificateSettings,
  productName: {
    name: 'product-name',
    kind: text(64),
    default: 'Weir',
    section: 'DNS addresses',
    help: 'product name shown in apps and configuration profiles',
  },
  dnsHost: {
    name: 'dns-host',
    kind: host(),
    default: 'localhost',
    section: 'DNS addresses',
    help: 'host name of DNS over HTTPS, with the port where a proxy or router forwards another one; without a public name devices get no addresses of encrypted DNS',
  },
  deviceDomain: {
    name: 'device-domain',
    kind: host(),
    section: 'DNS addresses',
    help: 'parent domain of device host names (DNS over TLS), with the port where a proxy or router forwards another one; default: dns-host without its port',
  },
  plainAddress: {
    name: 'plain-address',
    kind: addresses(),
    default: '',
    section: 'DNS addresses',
    help: 'public addresses of plain DNS, shown to users',
  },
  dedicatedAddress: {
    name: 'dedicated-address',
    kind: ipv4Addresses(),
    default: '',
    section: 'DNS addresses',
    help: 'pool of dedicated IPv4 addresses that accounts can allocate',
  },
  deviceNetwork: {
    name: 'device-network',
    kind: network96(),
    section: 'DNS addresses',
    help: 'IPv6 network (/96) in which every device has its own address',
  },
  profileCertificate: {
    name: 'profile-certificate',
    kind: file(),
    section: 'DNS addresses',
    help: 'certificate chain (PEM) for signing Apple configuration profiles',
  },
  profileKey: {
    name: 'profile-key',
    kind: file(),
    section: 'DNS addresses',
    help: 'private key (PEM) of the certificate',
  },
  ...accountSettings,
  allowSourceAddress: {
    name: 'allow-source-address',
    kind: networks(),
    default: '',
    section: 'Sources',
    help: 'private networks that list downloads may use, on any port',
  },
  allowSourceHost: {
    name: 'allow-source-host',
    kind: hostNames(),
    default: '',
    section: 'Sources',
    help: 'private hosts that list downloads may use, on any port',
  },
  sourcePort: {
    name: 'source-port',
    kind: ports(),
    default: '80,443',
    section: 'Sources',
    help: 'ports that list downloads may use',
  },
  sourceRoot: {
    name: 'source-root',
    kind: folder(),
    section: 'Sources',
    help: 'folder of files that compilations may use as sources; default: none',
  },
  operator: {
    name: 'operator',
    kind: operator(),
    default: 'first',
    section: 'Accounts',
    help: 'user who manages the installation (system status, settings, backups, restore): the owner of the first account, a user by e-mail address, or nobody; recorded by user id once known (see weir account operator)',
  },
  maxBodyBytes: {
    name: 'max-body',
    kind: size(KIB),
    default: '10MiB',
    section: 'Limits',
    help: 'maximum size of a request body',
  },
  maxSources: {
    name: 'max-sources',
    kind: count(1, 100_000),
    default: '100',
    section: 'Limits',
    help: 'maximum number of sources per compilation',
  },
  maxPatterns: {
    name: 'max-patterns',
    kind: count(0, 1_000_000),
    default: '5000',
    section: 'Limits',
    help: 'maximum number of exclusions and inclusions per compilation',
  },
  maxSourceSizeBytes: {
    name: 'max-source-size',
    kind: size(KIB),
    default: '64MiB',
    section: 'Limits',
    help: 'maximum size of a source',
  },
  maxCompilationSizeBytes: {
    name: 'max-compilation-size',
    kind: size(KIB),
    default: '256MiB',
    section: 'Limits',
    help: 'maximum total size of the sources of a compilation',
  },
  requestsPerMinute: {
    name: 'requests-per-minute',
    kind: count(1, 1_000_000),
    default: '10',
    section: 'Limits',
    help: 'compile requests per minute and address',
  },
  apiRequestsPerMinute: {
    name: 'api-requests-per-minute',
    kind: count(0, 1_000_000),
    default: '0',
    section: 'Limits',
    help: 'requests per minute and user to the management API; 0: unlimited',
  },
  cpuSecondsPerMinute: {
    name: 'cpu-seconds-per-minute',
    formerName: 'work-seconds-per-minute',
    kind: count(1, 1_000_000),
    default: '60',
    section: 'Limits',
    help: 'CPU seconds of compilation per minute and address',
  },
  maxStreams: {
    name: 'max-streams',
    kind: count(0, 100_000),
    default: '100',
    section: 'Limits',
    help: 'maximum number of open event streams',
  },
  compileClients: {
    name: 'compile-clients',
    kind: networks(),
    default: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10',
    section: 'Compilations',
    help: 'networks whose clients may compile without credentials; all others need an API key or a session. 0.0.0.0/0,::/0 opens it to everyone',
  },
  compilePage: {
    name: 'compile-page',
    kind: choice('private', 'public', 'off'),
    default: 'private',
    section: 'Compilations',
    help: 'clients that may use the compiler page without signing in: private is for those of compile-clients with private addresses, public for all, who may then compile without credentials',
  },
  compileWorkers: {
    name: 'compile-workers',
    kind: count(1, 256),
    default: '4',
    section: 'Compilations',
    help: 'concurrent compilations',
  },
  compileMemoryBytes: {
    name: 'compile-memory',
    kind: size(32 * MIB),
    default: '512MiB',
    section: 'Compilations',
    help: 'memory limit per compilation',
  },
  compileTimeSeconds: {
    name: 'compile-time',
    kind: seconds(1, DAY),
    default: '300s',
    section: 'Compilations',
    help: 'time limit per compilation',
  },
  cacheSizeBytes: {
    name: 'cache-size',
    kind: size(0),
    default: '256MiB',
    section: 'Cache',
    help: 'disk space for the cache of compiled lists',
  },
  cacheTimeSeconds: {
    name: 'cache-time',
    kind: seconds(0, 365 * DAY),
    default: '3600s',
    section: 'Cache',
    help: 'time for which a compiled list is fresh',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Table = typeof settingsTable;

export type Settings = {
  readonly [Key in keyof Table]:
    | Decoded<Table[Key]['kind']>
    | (Table[Key] extends { default: string } ? never : undefined);
};

export type SettingKey = keyof Settings;

export const settingEntries = Object.entries(settingsTable) as readonly (readonly [SettingKey, Setting])[];

const keysByName: ReadonlyMap<string, SettingKey> = new Map(settingEntries.map(([key, { name }]) => [name, key]));

const keysByFormerName: ReadonlyMap<string, SettingKey> = new Map(
  settingEntries.flatMap(([key, { formerName }]) => (formerName === undefined ? [] : [[formerName, key] as const])),
);

export const settingNames: readonly string[] = [...keysByName.keys()];

/** The key of a setting under its current or its former name. */
export const keyOfSetting = (name: string): SettingKey | undefined =>
  keysByName.get(name) ?? keysByFormerName.get(name);

/** The environment variable of a setting: `WEIR_MAX_BODY` for `max-body`. */
export const variableOf = (name: string): string => `WEIR_${name.toUpperCase().replaceAll('-', '_')}`;

/** The setting name of an environment variable. */
export const nameOfVariable = (variable: string): string =>
  variable.slice('WEIR_'.length).toLowerCase().replaceAll('_', '-');

/** In a file, settings with one of these prefixes may be written as a map: `acme: {email: …}` is `acme-email`. */
export const settingGroups: readonly string[] = ['acme'];

/** The default of a setting as it would be given, one text per value. */
export function defaultTexts(key: SettingKey): readonly string[] {
  const { kind, default: text = '' }: Setting = settingsTable[key];
  return kind.many ? text.split(',').filter(Boolean) : text === '' ? [] : [text];
}

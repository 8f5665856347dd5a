import { dnsSettings } from './dns-settings.ts';
import type { Setting } from './setting.ts';
import {
  addresses,
  choice,
  clientRedirects,
  count,
  file,
  folder,
  host,
  hostNames,
  ipv4Addresses,
  KIB,
  type Kind,
  listen,
  listenOrOff,
  MIB,
  network96,
  networks,
  operator,
  ports,
  seconds,
  size,
  systemUser,
  text,
  url,
} from './setting-kinds.ts';

const DAY = 86_400;

// The one description of all settings: type, checks, errors, help, documentation and schema come from here.
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
    help: 'folder for everything that is kept',
  },
  user: {
    name: 'user',
    kind: systemUser(),
    default: 'auto',
    section: 'General',
    help: 'user to run as after a start as root, once the ports are bound: a name, or numbers as 65532:65532; auto is the user weir where it exists',
  },
  log: {
    name: 'log',
    kind: choice('text', 'json'),
    default: 'text',
    section: 'General',
    help: 'how the log is written: for people or for programs',
  },
  logLevel: {
    name: 'log-level',
    kind: choice('trace', 'debug', 'info', 'warn', 'error'),
    default: 'info',
    section: 'General',
    help: 'the least important thing that is logged',
  },
  http: {
    name: 'http',
    kind: listen(),
    default: '127.0.0.1:8080',
    section: 'Listening',
    help: 'where the service listens; :8080 is every address of the machine, port 0 a free port',
  },
  admin: {
    name: 'admin',
    kind: listenOrOff(),
    default: '127.0.0.1:8081',
    section: 'Listening',
    help: 'where metrics for Prometheus are; when nobody sets it and the port is taken, a free one is used',
  },
  trustedProxy: {
    name: 'trusted-proxy',
    kind: networks(),
    default: '',
    section: 'Listening',
    help: 'networks of proxies whose X-Forwarded-For is believed',
  },
  httpConnectionsPerAddress: {
    name: 'http-connections-per-address',
    kind: count(1, 1_000_000),
    default: '100',
    section: 'Listening',
    help: 'HTTP connections that one address (of IPv6 its /64) may have open; trusted proxies are exempt',
  },
  publicUrl: {
    name: 'public-url',
    kind: url('https:', 'http:'),
    section: 'Listening',
    help: 'where people reach the service, when that is not where it listens; on loopback no other host name is answered than this and its own',
  },
  ...dnsSettings,
  productName: {
    name: 'product-name',
    kind: text(64),
    default: 'Weir',
    section: 'DNS addresses',
    help: 'what people see in programs and profiles that use the resolver',
  },
  dnsHost: {
    name: 'dns-host',
    kind: host(),
    default: 'localhost',
    section: 'DNS addresses',
    help: 'host of DNS over HTTPS',
  },
  deviceDomain: {
    name: 'device-domain',
    kind: host(),
    section: 'DNS addresses',
    help: 'domain under which devices have names, for DNS over TLS and QUIC; that of dns-host unless said',
  },
  plainAddress: {
    name: 'plain-address',
    kind: addresses(),
    default: '',
    section: 'DNS addresses',
    help: 'addresses of plain DNS',
  },
  dedicatedAddress: {
    name: 'dedicated-address',
    kind: ipv4Addresses(),
    default: '',
    section: 'DNS addresses',
    help: 'IPv4 addresses that accounts can be given for their own',
  },
  deviceNetwork: {
    name: 'device-network',
    kind: network96(),
    section: 'DNS addresses',
    help: 'IPv6 network of 96 bits in which every device has an address of its own',
  },
  profileCertificate: {
    name: 'profile-certificate',
    kind: file(),
    section: 'DNS addresses',
    help: 'certificates (PEM) that profiles for Apple devices are signed with',
  },
  profileKey: {
    name: 'profile-key',
    kind: file(),
    section: 'DNS addresses',
    help: 'key (PEM) of the first of them',
  },
  database: {
    name: 'database',
    kind: url('postgres:', 'postgresql:'),
    section: 'Accounts',
    help: 'PostgreSQL to keep accounts and the query log in; without it they are files in the data folder',
  },
  plans: {
    name: 'plans',
    kind: file(),
    section: 'Accounts',
    help: 'YAML file of plans: what accounts may have',
  },
  catalogue: {
    name: 'catalogue',
    kind: file(),
    section: 'Accounts',
    help: 'YAML file with more filter lists and web services',
  },
  companies: {
    name: 'companies',
    kind: file(),
    section: 'Accounts',
    help: 'JSON file of trackers and companies, in the form of companiesdb',
  },
  oauthClient: {
    name: 'oauth-client',
    kind: clientRedirects(),
    default: '',
    section: 'Accounts',
    help: 'programs that users may let in, and where a browser goes back to them',
  },
  sessionIdleMinutes: {
    name: 'session-idle-minutes',
    kind: count(0, 12 * 60),
    default: '30',
    section: 'Accounts',
    help: 'minutes after which the web interface signs somebody out who does nothing; 0 is never, but for the twelve hours that a session lasts',
  },
  allowSourceAddress: {
    name: 'allow-source-address',
    kind: networks(),
    default: '',
    section: 'Sources',
    help: 'networks that compilations may download from although they are not public, at any port',
  },
  allowSourceHost: {
    name: 'allow-source-host',
    kind: hostNames(),
    default: '',
    section: 'Sources',
    help: 'hosts that compilations may download from although they are not public, at any port',
  },
  sourcePort: {
    name: 'source-port',
    kind: ports(),
    default: '80,443',
    section: 'Sources',
    help: 'ports that compilations may download from',
  },
  sourceRoot: {
    name: 'source-root',
    kind: folder(),
    section: 'Sources',
    help: 'folder whose files compilations may read as sources; without it they read none',
  },
  operator: {
    name: 'operator',
    kind: operator(),
    default: 'first',
    section: 'Accounts',
    help: 'user who reads the system status and makes backups in the management API: the owner of the first account, a user by e-mail address, or nobody; recorded by user id once known (see weir account operator)',
  },
  maxBodyBytes: {
    name: 'max-body',
    kind: size(KIB),
    default: '10MiB',
    section: 'Limits',
    help: 'largest body of a request',
  },
  maxSources: {
    name: 'max-sources',
    kind: count(1, 100_000),
    default: '100',
    section: 'Limits',
    help: 'most sources of one compilation',
  },
  maxPatterns: {
    name: 'max-patterns',
    kind: count(0, 1_000_000),
    default: '5000',
    section: 'Limits',
    help: 'most exclusions and inclusions of one compilation',
  },
  maxSourceSizeBytes: {
    name: 'max-source-size',
    kind: size(KIB),
    default: '64MiB',
    section: 'Limits',
    help: 'largest source',
  },
  maxCompilationSizeBytes: {
    name: 'max-compilation-size',
    kind: size(KIB),
    default: '256MiB',
    section: 'Limits',
    help: 'most that all sources of one compilation may be together',
  },
  requestsPerMinute: {
    name: 'requests-per-minute',
    kind: count(1, 1_000_000),
    default: '10',
    section: 'Limits',
    help: 'requests that one address may make a minute',
  },
  workSecondsPerMinute: {
    name: 'work-seconds-per-minute',
    kind: count(1, 1_000_000),
    default: '60',
    section: 'Limits',
    help: 'seconds of compiling that one address may cause a minute',
  },
  maxStreams: {
    name: 'max-streams',
    kind: count(0, 100_000),
    default: '100',
    section: 'Limits',
    help: 'most event streams open at a time',
  },
  compileClients: {
    name: 'compile-clients',
    kind: networks(),
    default: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10',
    section: 'Compilations',
    help: 'networks whose clients may compile without credentials; all others need an API key or a session. 0.0.0.0/0,::/0 opens it to everyone',
  },
  compileWorkers: {
    name: 'compile-workers',
    kind: count(1, 256),
    default: '4',
    section: 'Compilations',
    help: 'compilations that run at a time',
  },
  compileMemoryBytes: {
    name: 'compile-memory',
    kind: size(32 * MIB),
    default: '512MiB',
    section: 'Compilations',
    help: 'memory for one compilation',
  },
  compileTimeSeconds: {
    name: 'compile-time',
    kind: seconds(1, DAY),
    default: '300s',
    section: 'Compilations',
    help: 'longest that one compilation may take',
  },
  cacheSizeBytes: {
    name: 'cache-size',
    kind: size(0),
    default: '256MiB',
    section: 'Cache',
    help: 'room on disk for compiled lists',
  },
  cacheTimeSeconds: {
    name: 'cache-time',
    kind: seconds(0, 365 * DAY),
    default: '3600s',
    section: 'Cache',
    help: 'how long a compiled list counts as fresh',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Table = typeof settingsTable;

type ValueOf<K> = K extends Kind<infer T, infer Many> ? (Many extends true ? readonly T[] : T) : never;

export type Settings = {
  readonly [Key in keyof Table]:
    | ValueOf<Table[Key]['kind']>
    | (Table[Key] extends { default: string } ? never : undefined);
};

export type SettingKey = keyof Settings;

export const settingEntries = Object.entries(settingsTable) as readonly (readonly [SettingKey, Setting])[];

const keysByName: ReadonlyMap<string, SettingKey> = new Map(settingEntries.map(([key, { name }]) => [name, key]));

export const settingNames: readonly string[] = [...keysByName.keys()];

export const keyOfSetting = (name: string): SettingKey | undefined => keysByName.get(name);

/** `max-body` as it is called in the environment. */
export const variableOf = (name: string): string => `WEIR_${name.toUpperCase().replaceAll('-', '_')}`;

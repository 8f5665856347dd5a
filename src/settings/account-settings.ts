import {
  clickhouseUrl,
  clientRedirects,
  count,
  file,
  MIB,
  postgresUrl,
  type Setting,
  size,
  text,
  url,
  valkeyUrl,
} from './setting-kinds.ts';

/** Settings of accounts, and of the storage of accounts and query log. */
export const accountSettings = {
  database: {
    name: 'database',
    kind: postgresUrl(),
    section: 'Accounts',
    help: 'PostgreSQL URL for settings and query log, with several hosts separated by commas for failover; default: SQLite files in the data folder',
  },
  controller: {
    name: 'controller',
    kind: url('https:', 'http:'),
    section: 'Accounts',
    help: 'URL of a node with accounts that this dns node follows, instead of database; https unless it is reached over a private network',
  },
  nodeKey: {
    name: 'node-key',
    kind: text(200),
    section: 'Accounts',
    help: 'key of this node for the controller, from weir node create; as a flag it is visible to other users of this machine, so use the environment or node-key-file',
  },
  nodeKeyFile: {
    name: 'node-key-file',
    kind: file(),
    section: 'Accounts',
    help: 'file with the key of this node',
  },
  queryLog: {
    name: 'query-log',
    kind: clickhouseUrl(),
    section: 'Accounts',
    help: 'ClickHouse URL for the query log, as clickhouse://user:password@host:8123/weir; clickhouses:// uses HTTPS; default: with the settings',
  },
  queryLogSpoolBytes: {
    name: 'query-log-spool',
    kind: size(MIB),
    default: '1GiB',
    section: 'Accounts',
    help: 'limit of query records in the data folder while ClickHouse or the controller does not accept them; beyond it the oldest are dropped',
  },
  valkey: {
    name: 'valkey',
    kind: valkeyUrl(),
    section: 'Accounts',
    help: 'URL of Valkey or Redis (redis://, rediss://) that several nodes share for rate limits, sign-in attempts, change notices, compiled lists and the live log; default: the database, or each node alone',
  },
  plans: {
    name: 'plans',
    kind: file(),
    section: 'Accounts',
    help: 'YAML file of plans, the limits of accounts',
  },
  catalogue: {
    name: 'catalogue',
    kind: file(),
    section: 'Accounts',
    help: 'YAML file with additional filter lists and web services',
  },
  companies: {
    name: 'companies',
    kind: file(),
    section: 'Accounts',
    help: 'JSON file of trackers and companies, in companiesdb format',
  },
  oauthClient: {
    name: 'oauth-client',
    kind: clientRedirects(),
    default: '',
    section: 'Accounts',
    help: 'third-party apps (OAuth clients) and their redirect URIs',
  },
  sessionIdleMinutes: {
    name: 'session-idle-minutes',
    kind: count(0, 12 * 60),
    default: '30',
    section: 'Accounts',
    help: 'minutes without input after which the web interface signs out; 0 = only after the session lifetime of twelve hours',
  },
  sessionKeepDays: {
    name: 'session-keep-days',
    kind: count(0, 365),
    default: '30',
    section: 'Accounts',
    help: 'days without use after which a browser with “Keep me signed in” is signed out; 0 = not offered',
  },
} as const satisfies Record<string, Setting>;

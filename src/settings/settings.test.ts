import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { schemaOf } from './read-setting.ts';
import { readSettings } from './settings.ts';
import { settingEntries } from './settings-table.ts';

type Inputs = { words?: readonly string[]; env?: NodeJS.ProcessEnv; cwd?: string };

const read = (inputs: Inputs) => readSettings({ words: [], env: {}, cwd: '/srv', ...inputs });

async function settingsOf(inputs: Inputs) {
  const result = await read(inputs);
  return result.ok ? result.value.settings : assert.fail(result.error.join('\n'));
}

async function problemsOf(inputs: Inputs): Promise<readonly string[]> {
  const result = await read(inputs);
  return result.ok ? assert.fail('nothing is wrong') : result.error;
}

test('without settings the defaults apply', async () => {
  assert.deepEqual(await settingsOf({ env: { PATH: '/bin' } }), {
    config: undefined,
    data: '/srv/weir-data',
    role: 'all',
    user: 'auto',
    log: 'text',
    logLevel: 'info',
    updateUrl: undefined,
    http: { host: 'private', port: 8080 },
    admin: { host: '127.0.0.1', port: 8081 },
    sharePorts: 'off',
    drainSeconds: 0,
    trustedProxy: [],
    httpConnectionsPerAddress: 100,
    httpsRedirect: 'off',
    publicUrl: undefined,
    dns: { host: '::', port: 53 },
    dot: { host: '::', port: 853 },
    doh: { host: '::', port: 443 },
    webOnDoh: 'private',
    certificate: [],
    certificateKey: [],
    acmeDomains: [],
    acmeEmail: undefined,
    acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
    acmeChallenge: 'tls-alpn-01',
    acmeHttp: { host: '::', port: 80 },
    acmeDnsZone: undefined,
    acmeEabKeyId: undefined,
    acmeEabKey: undefined,
    proxyProtocol: [],
    upstream: ['tls://9.9.9.9', 'tls://1.1.1.1'],
    upstreamFallback: [],
    upstreamStrategy: 'fastest',
    upstreamTimeoutSeconds: 5,
    dnssec: 'pass',
    caseRandomization: 'on',
    bootstrap: [],
    forward: [],
    unknownClients: 'refuse',
    discoverClients: 'on',
    dhcpLeases: [],
    linkPrivateAddress: 'auto',
    queriesPerTenSeconds: 300,
    networkQueriesPerTenSeconds: 1500,
    connectionsPerClient: 50,
    dnsConnections: 1000,
    unlimitedClients: [
      '127.0.0.0/8',
      '::1',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      'fc00::/7',
      'fe80::/10',
    ],
    wrongIdsPerMinute: 20,
    dnsCacheBytes: 32 * 1024 * 1024,
    udpThreads: 0,
    privateAnswers: 'refuse',
    privateDomain: [],
    hostsFile: undefined,
    clientSubnet: 'hide',
    geoDatabase: [],
    dangerousList: ['catalogue:urlhaus_filter_online', 'catalogue:curben_phishing_filter'],
    adultList: ['catalogue:hagezi_nsfw'],
    newDomainsList: ['catalogue:hagezi_newly_registered_domains'],
    maxCustomLists: 20,
    maxCustomListRules: 300_000,
    operator: 'first',
    listUpdateIntervalSeconds: 3600,
    productName: 'Weir',
    dnsHost: 'localhost',
    deviceDomain: undefined,
    plainAddress: [],
    dedicatedAddress: [],
    deviceNetwork: undefined,
    profileCertificate: undefined,
    profileKey: undefined,
    database: undefined,
    valkey: undefined,
    controller: undefined,
    nodeKey: undefined,
    nodeKeyFile: undefined,
    queryLog: undefined,
    queryLogSpoolBytes: 1024 * 1024 * 1024,
    plans: undefined,
    catalogue: undefined,
    companies: undefined,
    oauthClient: [],
    sessionIdleMinutes: 30,
    sessionKeepDays: 30,
    allowSourceAddress: [],
    allowSourceHost: [],
    sourcePort: [80, 443],
    sourceRoot: undefined,
    maxBodyBytes: 10 * 1024 * 1024,
    maxSources: 100,
    maxPatterns: 5000,
    maxSourceSizeBytes: 64 * 1024 * 1024,
    maxCompilationSizeBytes: 256 * 1024 * 1024,
    requestsPerMinute: 10,
    apiRequestsPerMinute: 0,
    cpuSecondsPerMinute: 60,
    maxStreams: 100,
    compileClients: [
      '127.0.0.0/8',
      '::1',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      'fc00::/7',
      'fe80::/10',
    ],
    compilePage: 'private',
    compileWorkers: 4,
    compileMemoryBytes: 512 * 1024 * 1024,
    compileTimeSeconds: 300,
    cacheSizeBytes: 256 * 1024 * 1024,
    cacheTimeSeconds: 3600,
  });
});

test('the key of a setting is its name, with the unit where a number could be two things', () => {
  for (const [key, { name, kind }] of settingEntries) {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const unit = { SIZE: 'Bytes', TIME: 'Seconds' }[kind.value] ?? '';
    assert.equal(key, camel + unit);
  }
});

test('flags win over the environment, the environment over the file, the file over defaults', async (t) => {
  const cwd = await temporaryFolder(t, {
    'weir.yaml': 'max-sources: 3\nmax-patterns: 3\nmax-streams: 3\n',
  });
  const settings = await settingsOf({
    cwd,
    words: ['--config', 'weir.yaml', '--max-sources', '1'],
    env: { WEIR_MAX_SOURCES: '2', WEIR_MAX_PATTERNS: '2' },
  });
  assert.deepEqual(
    [settings.maxSources, settings.maxPatterns, settings.maxStreams, settings.compileWorkers],
    [1, 2, 3, 4],
  );
  assert.equal(settings.config, join(cwd, 'weir.yaml'));
});

test('a list replaces one of lower precedence completely', async () => {
  const settings = await settingsOf({ words: ['--source-port', '8443'], env: { WEIR_SOURCE_PORT: '80 443' } });
  assert.deepEqual(settings.sourcePort, [8443]);
  assert.deepEqual((await settingsOf({ words: ['--source-port='] })).sourcePort, []);
});

test('a setting counts as given even with the default value', async (t) => {
  const cwd = await temporaryFolder(t, { 'weir.yaml': 'log: text\n' });
  const result = await read({ cwd, words: ['--admin', '127.0.0.1:8081'], env: { WEIR_CONFIG: 'weir.yaml' } });
  assert.ok(result.ok);
  const { isDefault } = result.value;
  assert.deepEqual(
    [isDefault('admin'), isDefault('log'), isDefault('config'), isDefault('http'), isDefault('sourceRoot')],
    [false, false, false, true, true],
  );
});

test('all errors are reported at once, each with its source', async (t) => {
  const cwd = await temporaryFolder(t, {
    'etc/weir.yaml': '# mine\nlog: loud\nmax-body: lots\nsource-port:\n  - 80\n  - 99999\n',
  });
  const words = ['--http', 'x', '--config', 'etc/weir.yaml', '--trusted-proxy', '10.0.0.0/8,me', '--htpp', ':80'];
  const env = { WEIR_MAX_BODY: 'huge', WEIR_ALLOW_SOURCE_HOST: 'a/b,c d/e' };
  assert.deepEqual(await problemsOf({ cwd, words, env }), [
    '--http: "x" is not an ADDRESS:PORT such as 127.0.0.1:8080',
    '--trusted-proxy: "me" is not an IP address or network such as 10.0.0.0/8 or ::1',
    '--htpp: unknown setting; did you mean --http?',
    'WEIR_MAX_BODY: "huge" is not a size such as 10MiB, 512k, 1GiB or a number of bytes',
    'WEIR_ALLOW_SOURCE_HOST: "a/b" is not a host name such as lists.example.org',
    'WEIR_ALLOW_SOURCE_HOST: "d/e" is not a host name such as lists.example.org',
    'etc/weir.yaml: log (line 2): "loud" is not one of text, json',
    'etc/weir.yaml: max-body (line 3): "lots" is not a size such as 10MiB, 512k, 1GiB or a number of bytes',
    'etc/weir.yaml: source-port (line 6): "99999" is more than 65535',
  ]);
});

test('an invalid value is an error even if it is overridden', async () => {
  assert.deepEqual(await problemsOf({ words: ['--log', 'json'], env: { WEIR_LOG: 'xml' } }), [
    'WEIR_LOG: "xml" is not one of text, json',
  ]);
});

test('a problem is one line for any value', async () => {
  assert.deepEqual(await problemsOf({ words: ['--log', 'a\n"b'] }), ['--log: "a\\n\\"b" is not one of text, json']);
});

test('the flag names the file rather than the environment', async (t) => {
  const cwd = await temporaryFolder(t, { 'a.yaml': 'max-sources: 1\n', 'b.yaml': 'max-sources: 2\n' });
  const settings = await settingsOf({ cwd, words: ['--config=a.yaml'], env: { WEIR_CONFIG: 'b.yaml' } });
  assert.equal(settings.maxSources, 1);
});

test('an empty file name is invalid', async () => {
  assert.deepEqual(await problemsOf({ words: ['--config='] }), ['--config: "" is not a path']);
});

const formerNames = [
  ['strangers', 'unknown-clients', 'unknownClients', '0000AAAA', '0000aaaa'],
  ['lists-every', 'list-update-interval', 'listUpdateIntervalSeconds', '2h', 7200],
  ['work-seconds-per-minute', 'cpu-seconds-per-minute', 'cpuSecondsPerMinute', '5', 5],
] as const;

for (const [former, name, key, text, value] of formerNames)
  test(`the former name ${former} works as a flag, a variable and a line of the file, with a warning`, async (t) => {
    const cwd = await temporaryFolder(t, { 'weir.yaml': `${former}: ${text}\n` });
    const variable = (of: string) => `WEIR_${of.toUpperCase().replaceAll('-', '_')}`;
    const sources: [Inputs, string][] = [
      [{ words: [`--${former}`, text] }, `--${former}: deprecated, use --${name}`],
      [{ env: { [variable(former)]: text } }, `${variable(former)}: deprecated, use ${variable(name)}`],
      [{ cwd, words: ['--config', 'weir.yaml'] }, `weir.yaml: ${former} (line 1): deprecated, use ${name}`],
    ];
    for (const [inputs, warning] of sources) {
      const result = await read(inputs);
      assert.ok(result.ok, warning);
      assert.equal(result.value.settings[key], value);
      assert.equal(result.value.isDefault(key), false);
      assert.deepEqual(result.value.warnings, [warning]);
    }
    assert.deepEqual((await read({ words: [`--${name}`, text] })).ok, true);
  });

test('a setting given under both of its names is an error, in any source', async (t) => {
  const cwd = await temporaryFolder(t, { 'weir.yaml': 'strangers: refuse\n' });
  const problem = (former: string, current: string) => [`${former}: the same setting as ${current}; remove it`];
  const given = ['--unknown-clients', 'refuse'];
  assert.deepEqual(
    await problemsOf({ words: [...given, '--strangers', 'refuse'] }),
    problem('--strangers', '--unknown-clients'),
  );
  assert.deepEqual(
    await problemsOf({ words: ['--strangers', 'refuse'], env: { WEIR_UNKNOWN_CLIENTS: 'refuse' } }),
    problem('--strangers', 'WEIR_UNKNOWN_CLIENTS'),
  );
  assert.deepEqual(
    await problemsOf({ cwd, words: [...given, '--config', 'weir.yaml'] }),
    problem('weir.yaml: strangers (line 1)', '--unknown-clients'),
  );
});

test('the former value of client-subnet works', async () => {
  assert.equal((await settingsOf({ words: ['--client-subnet', 'tell'] })).clientSubnet, 'forward');
  assert.equal((await settingsOf({ words: ['--client-subnet', 'forward'] })).clientSubnet, 'forward');
});

/** A value as it is written in the settings file. */
const inFile = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

test('the JSON schema of every setting accepts its default, and refuses an object', () => {
  for (const [key, { kind, default: text }] of settingEntries) {
    const values = text === undefined ? [] : kind.many ? text.split(',').filter(Boolean) : [text];
    for (const value of values) assert.ok(Schema.Check(schemaOf(kind), inFile(value)), `${key}: ${value}`);
    assert.ok(!Schema.Check(schemaOf(kind), {}), key);
  }
});

test('conflicting settings are rejected', async () => {
  const problemsWith = (...words: string[]) => problemsOf({ words });
  assert.deepEqual(await problemsWith('--certificate', 'a.pem'), [
    'certificate and certificate-key: each certificate needs its key, in the same order',
  ]);
  assert.deepEqual(await problemsWith('--https-redirect', 'on', '--web-on-doh', 'off'), [
    'https-redirect: "on" needs HTTPS: doh and web-on-doh must not be off',
  ]);
  const acme = (domains: string, ...more: string[]) => problemsWith('--acme-domains', domains, ...more);
  assert.deepEqual(await acme('*.d.example.org'), ['acme-domains: a domain with * needs acme-challenge dns-01']);
  assert.match((await acme('a.example', '--certificate', 'a', '--certificate-key', 'b')).join(), /only one of them/);
  assert.match((await acme('a.example', '--dot', 'off', '--doh', 'off')).join(), /no certificate is needed.*443/);
  assert.match((await acme('a.example', '--acme-challenge', 'dns-01', '--dns', 'off')).join(), /needs plain DNS/);
  const http = ['--acme-challenge', 'http-01', '--http', 'private:80'];
  assert.match((await acme('a.example', ...http)).join(), /cannot reach private addresses/);
  assert.match((await acme('a.example', '--acme-eab-key-id', 'x')).join(), /both are needed/);
});

test('certificates are for public domains, and authorities have https URLs', async () => {
  for (const name of ['localhost', 'a b.example', '*.*.example.org', '192.0.2.1', '_dmarc.example.org'])
    assert.match((await problemsOf({ words: ['--acme-domains', name] })).join(), /is not a domain/, name);
  const { acmeDomains, acmeDirectory } = await settingsOf({
    words: ['--acme-domains', 'DNS.Example.org', '--acme-directory', 'letsencrypt-staging'],
  });
  assert.deepEqual(acmeDomains, ['dns.example.org']);
  assert.equal(acmeDirectory, 'https://acme-staging-v02.api.letsencrypt.org/directory');
  assert.match((await problemsOf({ words: ['--acme-directory', 'http://ca.example'] })).join(), /https URL/);
});

test('an invalid URL is reported without its password', async () => {
  const words = ['--query-log', 'clickhouse://weir:pass:w@rd@host/a-b', '--database', 'mysql://weir:secret@db/weir'];
  const read = await readSettings({ words, env: {}, cwd: '/' });
  assert.ok(!read.ok);
  assert.match(read.error.join(), /--query-log: "clickhouse:\/\/weir:\*\*\*@host\/a-b" has a database name/);
  assert.doesNotMatch(read.error.join(), /pass|w@rd|secret/);
});

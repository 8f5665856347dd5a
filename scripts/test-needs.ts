// Installs the Debian packages and (in `.cache`) npm packages that the tests need. Lists the tests that are skipped if it cannot.
// The only script that installs anything outside the project.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

type Need = { readonly isInstalled: () => boolean; readonly package: string; readonly skipped: string };

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
const has = (program: string): boolean => folders.some((folder) => existsSync(`${folder}/${program}`));
const runs = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const faketime = (): boolean =>
  existsSync('/usr/lib') &&
  readdirSync('/usr/lib').some((folder) => existsSync(`/usr/lib/${folder}/faketime/libfaketimeMT.so.1`));

const needs: readonly Need[] = [
  {
    isInstalled: () => existsSync('/usr/lib/postgresql'),
    package: 'postgresql',
    skipped: 'all tests on PostgreSQL: half of those of the store, the query log and the management API',
  },
  {
    isInstalled: () => has('pgbouncer'),
    package: 'pgbouncer',
    skipped: 'PostgreSQL behind PgBouncer: src/store/postgres-servers.test.ts',
  },
  {
    isInstalled: () => has('redis-server'),
    package: 'redis-server',
    skipped: 'state that several nodes share: src/valkey/valkey.test.ts, test/valkey-nodes.test.ts',
  },
  { isInstalled: () => has('haproxy'), package: 'haproxy', skipped: 'a cluster of nodes: test/cluster.test.ts' },
  { isInstalled: () => runs('curl'), package: 'curl', skipped: 'the curl examples in README and docs' },
  { isInstalled: () => runs('openssl'), package: 'openssl', skipped: 'verification of signed profiles with openssl' },
  {
    isInstalled: () => has('dig'),
    package: 'bind9-dnsutils',
    skipped: 'most tests that query the running resolver: test/dns-*.test.ts',
  },
  {
    isInstalled: () => has('kdig'),
    package: 'knot-dnsutils',
    skipped: 'most tests that query the running resolver: test/dns-*.test.ts',
  },
  {
    isInstalled: () => has('unbound'),
    package: 'unbound',
    skipped: 'Unbound as a forwarder to the resolver, over TLS, and with compiled lists',
  },
  {
    isInstalled: () => has('dnsmasq'),
    package: 'dnsmasq-base',
    skipped: 'dnsmasq as a forwarder to the resolver, and with compiled lists',
  },
  { isInstalled: () => has('named'), package: 'bind9', skipped: 'BIND with a compiled policy zone' },
  {
    isInstalled: () => has('promtool'),
    package: 'prometheus',
    skipped: 'the check of metrics and alert rules with promtool',
  },
  {
    isInstalled: () => has('pebble'),
    package: 'pebble',
    skipped: 'certificates from an authority: src/acme/open-acme.test.ts, test/acme.test.ts',
  },
  { isInstalled: () => has('systemd-analyze'), package: 'systemd', skipped: 'the Debian package and its systemd unit' },
  {
    isInstalled: () => has('buildah'),
    package: 'buildah',
    skipped: 'the build of the container image; the commands of its Containerfile are run',
  },
  { isInstalled: () => has('xz'), package: 'xz-utils', skipped: 'the release archives' },
  { isInstalled: () => has('ip'), package: 'iproute2', skipped: 'the local network of network namespaces' },
  {
    isInstalled: () => has('chromium'),
    package: 'chromium',
    skipped: 'the web interface, and a browser that queries the resolver over HTTPS',
  },
  {
    isInstalled: () => has('h2load'),
    package: 'nghttp2-client',
    skipped: 'h2load and nghttp as clients of DNS over HTTPS',
  },
  {
    isInstalled: () => has('dnsperf'),
    package: 'dnsperf',
    skipped: 'the resolver under load: changes take effect at once, and every answer is logged',
  },
  {
    isInstalled: () => has('java'),
    package: 'default-jre-headless',
    skipped: 'the client of OpenAPI Generator: test/management-generated-clients.test.ts',
  },
  ...['urllib3', 'dateutil', 'six', 'certifi'].map((module) => ({
    isInstalled: () => spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0,
    package: `python3-${module}`,
    skipped: 'the client of OpenAPI Generator: test/management-generated-clients.test.ts',
  })),
  {
    isInstalled: faketime,
    package: 'faketime',
    skipped: 'the resolver while its clock jumps, and the expiry of temporary rules',
  },
];

/** npm packages that only tests use and that are too large or too old to be dependencies; installed in folders of `.cache`. */
const npmNeeds: readonly { readonly folder: string; readonly packages: readonly string[]; readonly skipped: string }[] =
  [
    // The ClickHouse engine as a library: 550 MB.
    { folder: 'chdb', packages: ['chdb@3.4.0'], skipped: 'all tests on ClickHouse' },
    {
      folder: 'openapi-generator',
      packages: ['@openapitools/openapi-generator-cli@1.0.18-4.3.1'],
      skipped: 'the client of OpenAPI Generator: test/management-generated-clients.test.ts',
    },
    // It needs TypeScript 5.
    {
      folder: 'openapi-typescript',
      packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
      skipped: 'the types of openapi-typescript: test/management-generated-clients.test.ts',
    },
  ];
for (const need of npmNeeds) installFromNpm(need);

const missing = needs.filter(({ isInstalled }) => !isInstalled());
const isRoot = process.getuid?.() === 0;
const hasApt = existsSync('/usr/bin/apt-get');
if (missing.length > 0) {
  const packages = missing.map((need) => need.package);
  if (isRoot && hasApt) install(packages);
  else if (hasApt) console.error(`To run every test, install as root: apt-get install ${packages.join(' ')}`);
}
const stillMissing = missing.filter(({ isInstalled }) => !isInstalled());
for (const need of stillMissing) console.error(`skipped, because ${need.package} is not installed: ${need.skipped}`);
// In CI, a skipped test is a failure.
if (stillMissing.length > 0 && process.env['CI'] === 'true') process.exitCode = 1;

function installFromNpm({ folder, packages, skipped }: (typeof npmNeeds)[number]): void {
  const prefix = `.cache/${folder}`;
  if (existsSync(`${prefix}/node_modules`)) return;
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--silent', '--prefix', prefix];
  mkdirSync(prefix, { recursive: true });
  console.error(`The tests need ${packages.join(', ')}: npm install ${flags.join(' ')} ${packages.join(' ')}`);
  const { status } = spawnSync('npm', ['install', ...flags, ...packages], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  console.error(`skipped, because ${packages.join(', ')} cannot be installed: ${skipped}`);
  if (process.env['CI'] === 'true') process.exitCode = 1;
}

function install(packages: readonly string[]): void {
  console.error(
    `The tests need Debian packages that are not installed: ${packages.join(', ')}.\n` +
      'Installing them with apt-get as root. Their services are not started: /usr/sbin/policy-rc.d prevents it during the installation.',
  );
  withoutStartingServices(() => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-q'],
      ['install', '-yq', '--no-install-recommends', ...packages],
    ]) {
      try {
        execFileSync('/usr/bin/apt-get', args, { stdio: 'ignore', env });
      } catch (error) {
        // Errors are only printed: the installation may succeed with an old package index, and the packages are checked again afterwards.
        console.error(`apt-get ${args[0]}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  });
}

/** Keeps servers from being started at installation, where they would occupy ports such as 53. The tests start them themselves. */
function withoutStartingServices(run: () => void): void {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs)
    writeFileSync(policy, '#!/bin/sh\n# No service is started while packages are installed for tests.\nexit 101\n', {
      mode: 0o755,
    });
  try {
    run();
  } finally {
    if (isOurs) rmSync(policy);
  }
}

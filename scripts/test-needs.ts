// Installs the Debian packages that the tests need, and chdb into `.cache`, and names the tests that are skipped where it cannot. The
// only script that installs anything outside the project.
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
    isInstalled: faketime,
    package: 'faketime',
    skipped: 'the resolver while its clock jumps, and the expiry of temporary rules',
  },
];

const CHDB = 'chdb@3.4.0';
const chdbFolder = '.cache/chdb';
installChdb();

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
// CI reports success only if every test ran.
if (stillMissing.length > 0 && process.env['CI'] === 'true') process.exitCode = 1;

/** The engine of ClickHouse as a library: 550 MB, so it is installed in `.cache`, and not as a dependency. */
function installChdb(): void {
  if (existsSync(`${chdbFolder}/node_modules/chdb`)) return;
  const words = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--silent',
    '--prefix',
    chdbFolder,
    CHDB,
  ];
  mkdirSync(chdbFolder, { recursive: true });
  console.error(`The tests of the query log on ClickHouse need ${CHDB}: npm ${words.join(' ')}`);
  const { status } = spawnSync('npm', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  console.error('skipped, because chdb is not installed: all tests on ClickHouse');
  if (process.env['CI'] === 'true') process.exitCode = 1;
}

function install(packages: readonly string[]): void {
  console.error(
    `The tests need Debian packages that are not installed: ${packages.join(', ')}.\n` +
      'Installing them with apt-get as root. No service of theirs is started: /usr/sbin/policy-rc.d forbids it meanwhile.',
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
        // The installation may succeed with an old package index; what is installed is checked again afterwards.
        console.error(`apt-get ${args[0]}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  });
}

/** Installed servers would start and occupy their ports, such as 53. The tests start them themselves. */
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

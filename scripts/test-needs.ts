// Brings what the tests need beyond npm, where it can; says what is left out, where it cannot.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

type Need = { readonly isThere: () => boolean; readonly package: string; readonly leftOut: string };

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
const has = (program: string): boolean => folders.some((folder) => existsSync(`${folder}/${program}`));
const runs = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const faketime = (): boolean =>
  existsSync('/usr/lib') &&
  readdirSync('/usr/lib').some((folder) => existsSync(`/usr/lib/${folder}/faketime/libfaketimeMT.so.1`));

const needs: readonly Need[] = [
  {
    isThere: () => existsSync('/usr/lib/postgresql'),
    package: 'postgresql',
    leftOut: 'everything on PostgreSQL: half of the tests of the store, the query log and the management API',
  },
  { isThere: () => runs('curl'), package: 'curl', leftOut: 'the examples with curl in README and docs' },
  { isThere: () => runs('openssl'), package: 'openssl', leftOut: 'the check of signed profiles by another program' },
  {
    isThere: () => has('dig'),
    package: 'bind9-dnsutils',
    leftOut: 'nearly everything that asks the running resolver: test/dns-*.test.ts',
  },
  {
    isThere: () => has('kdig'),
    package: 'knot-dnsutils',
    leftOut: 'nearly everything that asks the running resolver: test/dns-*.test.ts',
  },
  { isThere: () => has('unbound'), package: 'unbound', leftOut: 'Unbound as a forwarder to the resolver, over TLS' },
  { isThere: () => has('dnsmasq'), package: 'dnsmasq-base', leftOut: 'dnsmasq as a forwarder to the resolver' },
  {
    isThere: () => has('chromium'),
    package: 'chromium',
    leftOut: 'the web interface, and a browser that asks the resolver over HTTPS',
  },
  {
    isThere: () => has('h2load'),
    package: 'nghttp2-client',
    leftOut: 'h2load and nghttp as clients of DNS over HTTPS',
  },
  {
    isThere: () => has('dnsperf'),
    package: 'dnsperf',
    leftOut: 'the resolver under load: that changes are obeyed at once, and that every answer is recorded',
  },
  {
    isThere: faketime,
    package: 'faketime',
    leftOut: 'the resolver while its clock jumps, and the ends of temporary rules',
  },
];

const missing = needs.filter(({ isThere }) => !isThere());
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (missing.length > 0 && canInstall) install(missing.map((need) => need.package));
const left = missing.filter(({ isThere }) => !isThere());
for (const need of left) console.error(`left out, because ${need.package} is not installed: ${need.leftOut}`);
// Whoever relies on the tests must know that all of them ran.
if (left.length > 0 && process.env['CI'] === 'true') process.exitCode = 1;

function install(packages: readonly string[]): void {
  console.error(`installing ${packages.join(', ')} for the tests`);
  withoutDaemons(() => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const words of [
      ['update', '-q'],
      ['install', '-yq', '--no-install-recommends', ...packages],
    ]) {
      try {
        execFileSync('/usr/bin/apt-get', words, { stdio: 'ignore', env });
      } catch (error) {
        // Lists that cannot be fetched anew may still do; whether all is there is looked at again.
        console.error(`apt-get ${words[0]}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  });
}

/** Servers that are installed would start and keep their ports: port 53, for one. The tests start them themselves. */
function withoutDaemons(work: () => void): void {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs)
    writeFileSync(policy, '#!/bin/sh\n# Nothing is started while packages are installed for tests.\nexit 101\n', {
      mode: 0o755,
    });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policy);
  }
}

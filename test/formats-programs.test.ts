import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { compileList, type FormatName, writeFormat } from '../src/compiler/index.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { until } from './support/kit/until.ts';
import { missing, run, startProgram } from './support/programs.ts';

// Each format is loaded into its program, which is then queried.

const world = await startWorld({ after });
const [, worldPort] = /:(\d+)$/.exec(world.address) ?? [];

const rules = [
  '||both.example^',
  '@@||free.both.example^',
  '0.0.0.0 alone.example',
  '||cancelled.example^',
  '||cancelled.example^$badfilter',
  '||strong.example^$important',
  '@@||strong.example^',
  '||deny.example^$denyallow=ok.deny.example|strict.deny.example',
  '||strict.deny.example^',
  '||rewritten.example^$dnsrewrite=192.0.2.7',
  '||rewritten.example^$dnsrewrite=2001:db8::7',
  '||ads.rewritten.example^',
  '|single.both.example^$dnsrewrite=192.0.2.7',
  '||alias.example^$dnsrewrite=target.other.example',
  '|alone.alias2.example^$dnsrewrite=target.other.example',
  '||gone.example^$dnsrewrite=NXDOMAIN',
  '||refused.example^$dnsrewrite=REFUSED',
  '/regular[0-9]/',
];
const REWRITTEN = '192.0.2.7';

const free = ['other.example', 'cancelled.example', 'sub.alone.example', 'ok.deny.example', 'sub.ok.deny.example'];
const blocked = ['both.example', 'alone.example', 'strong.example', 'deny.example', 'strict.deny.example'];
/** Formats of single names block neither the names below a name nor make exceptions. */
const ofDomains = {
  free: [...free, 'free.both.example', 'x.free.both.example'],
  blocked: [...blocked, 'sub.both.example', 'sub.deny.example', 'sub.strict.deny.example'],
};
const ofNames = { free: [...free, 'sub.both.example', 'free.both.example'], blocked };
/** Expected output of `dig +short` for rewrites, by name and type. */
const singleRewrites = {
  'rewritten.example A': REWRITTEN,
  'rewritten.example AAAA': '2001:db8::7',
  'single.both.example A': REWRITTEN,
};
const domainRewrites = {
  ...singleRewrites,
  'single.both.example AAAA': '',
  'sub.rewritten.example A': REWRITTEN,
  'ads.rewritten.example A': REWRITTEN,
  'sub.single.both.example A': '',
  'gone.example A': '',
  'sub.gone.example A': '',
};
const aliases = {
  'alias.example A': `target.other.example.\n${HERE}`,
  'x.alias.example A': `target.other.example.\n${HERE}`,
};

/** The list in a format, which reports these rules besides the regular expression. */
async function listAs(format: FormatName, notWritten: RegExp): Promise<string> {
  const list = await compileList({ name: 'Formats', sources: [{ source: rules.join('\n') }] });
  const { bytes, unsupported } = writeFormat(list, format);
  const reported = unsupported.map(({ rule }) => rule);
  // Rules that the format cannot express are reported, and not written.
  assert.deepEqual(
    reported.filter((rule) => !rule.startsWith('@@')),
    rules.filter((rule) => notWritten.test(rule) || rule === rules.at(-1)),
  );
  return Buffer.from(bytes).toString();
}

/** Answer of a server in short; empty for none, undefined if it does not answer. */
async function answerAt(port: number, name: string, type = 'A'): Promise<string | undefined> {
  const flags = ['@127.0.0.1', '-p', `${port}`, '+short', '+tries=1', '+time=3'];
  const { code, stdout } = await run('dig', [...flags, name, type]);
  return code === 0 ? stdout.trim() : undefined;
}

async function assertAnswers(
  port: number,
  expected: typeof ofNames,
  rewrites: Readonly<Record<string, string>>,
): Promise<void> {
  await until('the server', async () => (await answerAt(port, 'ready.example')) === HERE);
  for (const name of expected.free) assert.equal(await answerAt(port, name), HERE, name);
  for (const name of expected.blocked) assert.match((await answerAt(port, name)) ?? 'none', /^(0\.0\.0\.0)?$/, name);
  for (const [question, answer] of Object.entries(rewrites)) {
    const [name = '', type] = question.split(' ');
    assert.equal(await answerAt(port, name, type), answer, question);
  }
}

async function startDnsmasq(t: TestContext, port: number, flags: readonly string[]): Promise<void> {
  const words = [
    `--keep-in-foreground --no-resolv --no-hosts --user=root --pid-file= --cache-size=0 --bind-interfaces --listen-address=127.0.0.1`,
    `--port=${port} --server=127.0.0.1#${worldPort}`,
  ];
  startProgram(t, 'dnsmasq', [...words.join(' ').split(' '), ...flags]);
}

test('dnsmasq filters by its format', { skip: missing('dnsmasq', 'dig') }, async (t) => {
  const folder = await temporaryFolder(t, { list: await listAs('dnsmasq', /=target|REFUSED/) });
  const file = join(folder, 'list');
  assert.deepEqual((await run('dnsmasq', ['--test', `--conf-file=${file}`])).code, 0);
  const port = await freePort();
  await startDnsmasq(t, port, [`--conf-file=${file}`]);
  await assertAnswers(port, ofDomains, domainRewrites);
});

test('dnsmasq filters by a hosts file', { skip: missing('dnsmasq', 'dig') }, async (t) => {
  const folder = await temporaryFolder(t, { list: await listAs('hosts', /=target|REFUSED/) });
  const port = await freePort();
  await startDnsmasq(t, port, ['--conf-file=/dev/null', `--addn-hosts=${join(folder, 'list')}`]);
  await assertAnswers(port, ofNames, singleRewrites);
});

test('Unbound filters by its format', { skip: missing('unbound', 'dig') }, async (t) => {
  const port = await freePort();
  const folder = await temporaryFolder(t, { list: await listAs('unbound', /alias2/) });
  const configuration = `
server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "/"
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  do-not-query-localhost: no
include: "${join(folder, 'list')}"
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${worldPort}
`;
  const file = join(await temporaryFolder(t, { 'unbound.conf': configuration }), 'unbound.conf');
  const { code, stderr } = await run('unbound-checkconf', [file]);
  assert.equal(code, 0, stderr);
  startProgram(t, 'unbound', ['-d', '-c', file]);
  await assertAnswers(port, ofDomains, { ...domainRewrites, ...aliases });
  const { stdout } = await run('dig', ['@127.0.0.1', '-p', `${port}`, '+tries=1', 'sub.refused.example']);
  assert.match(stdout, /status: REFUSED/);
});

test('BIND filters by a policy zone', { skip: missing('named', 'dig') }, async (t) => {
  const port = await freePort();
  const folder = await temporaryFolder(t, { 'list.rpz': await listAs('rpz', /REFUSED/) });
  const configuration = `
options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  recursion yes;
  dnssec-validation no;
  forward only;
  forwarders { 127.0.0.1 port ${worldPort}; };
  response-policy { zone "rpz"; } qname-wait-recurse no;
};
controls { };
zone "rpz" { type primary; file "list.rpz"; allow-query { none; }; };
`;
  const file = join(await temporaryFolder(t, { 'named.conf': configuration }), 'named.conf');
  const { code, stdout } = await run('named-checkconf', ['-z', file]);
  assert.equal(code, 0, stdout);
  startProgram(t, 'named', ['-f', '-c', file]);
  await assertAnswers(port, ofDomains, {
    ...domainRewrites,
    ...aliases,
    'alone.alias2.example A': `target.other.example.\n${HERE}`,
    'x.alone.alias2.example A': HERE,
  });
});

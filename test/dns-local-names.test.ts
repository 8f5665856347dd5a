import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Over } from './support/dig.ts';
import { type Home, makeHome, startDns, until } from './support/dns.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { dnsmasqOptions, missing, startProgram } from './support/programs.ts';
import { addAccount } from './support/second-account.ts';

const needs = { skip: missing('dig', 'kdig', 'dnsmasq') };
// A UDP thread answers the first, the resolver thread the second.
const plain: readonly Over[] = ['udp', 'tcp'];

const world = await startWorld(
  { after },
  worldOf([address('v4only.example.com', '192.0.2.33'), address('rebound.example.com', '192.168.1.60')]),
);
const folder = mkdtempSync(join(tmpdir(), 'weir-'));
after(() => rmSync(folder, { recursive: true }));
// The service may give up root after its start.
chmodSync(folder, 0o755);
const hostsFile = join(folder, 'hosts');
writeFileSync(hostsFile, '127.0.0.1 localhost\n10.0.0.7 box.home box\n');
const home = await makeHome(await startDns({ after }, world.address, ['--hosts-file', hostsFile]));
const { id } = await home.device('laptop');
const routerPort = await freePort();
const router = `127.0.0.1:${routerPort}`;

const create = (name: string, type: string, value: string, rest: object = {}) =>
  home.ask('POST', '/api/v1/local_records', { name, type, value, ...rest });
const settings = (own: object, server = home.server) =>
  home.ask('PUT', `/api/v1/dns_servers/${server}/local_names`, { rebinding_allowed: [], search_domains: [], ...own });
const explain = (name: string, type = 'A', rest: object = {}) =>
  home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, { name, type, device_id: id, ...rest });

const failing = async (method: string, path: string, json: unknown, of: Home = home) => {
  const response = await fetch(of.service.url + path, {
    method,
    headers: { authorization: of.authorization, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const { fields } = (await response.json()) as { fields: { field: string; message: string }[] };
  return `${response.status} ${fields.map(({ field, message }) => `${field} ${message}`).join('; ')}`;
};

/** Twice over each transport: after the first query the UDP threads know the client. */
async function assertAnswers(name: string, type: string, expected: readonly string[]): Promise<void> {
  for (const over of [...plain, ...plain]) {
    const { answer } = await home.dug(id, over, name, type);
    assert.deepEqual([...answer].sort(), [...expected].sort(), `${name} ${type} over ${over}`);
  }
}

test(
  'records of every type are answered from the next query on, and are gone from the next query on',
  needs,
  async () => {
    assert.equal((await home.dug(id, 'udp', 'nxnas.home.example')).status, 'NXDOMAIN');
    const made = await create('NAS.home.example.', 'A', '192.168.1.5');
    assert.equal(made.name, 'nas.home.example');
    await create('nas.home.example', 'AAAA', 'fd00::5', { ttl: 30 });
    await create('*.apps.home.example', 'A', '10.0.0.1');
    await create('www.home.example', 'CNAME', 'nas.home.example');
    await create('out.home.example', 'CNAME', 'public.example.com');
    await create('home.example', 'TXT', 'hello');
    await create('_sip._tcp.home.example', 'SRV', '0 5 5060 nas.home.example');
    await assertAnswers('nas.home.example', 'A', ['nas.home.example. 60 IN A 192.168.1.5']);
    await assertAnswers('nas.home.example', 'AAAA', ['nas.home.example. 30 IN AAAA fd00::5']);
    await assertAnswers('x.y.apps.home.example', 'A', ['x.y.apps.home.example. 60 IN A 10.0.0.1']);
    await assertAnswers('www.home.example', 'A', [
      'www.home.example. 60 IN CNAME nas.home.example.',
      'nas.home.example. 60 IN A 192.168.1.5',
    ]);
    await assertAnswers('home.example', 'TXT', ['home.example. 60 IN TXT "hello"']);
    await assertAnswers('_sip._tcp.home.example', 'SRV', [
      '_sip._tcp.home.example. 60 IN SRV 0 5 5060 nas.home.example.',
    ]);
    await assertAnswers('5.1.168.192.in-addr.arpa', 'PTR', ['5.1.168.192.in-addr.arpa. 60 IN PTR nas.home.example.']);
    assert.match((await home.dug(id, 'udp', 'out.home.example')).answer.join(), new RegExp(`CNAME public.*${HERE}$`));
    const noData = await home.dug(id, 'udp', 'nas.home.example', 'MX');
    assert.deepEqual([noData.status, noData.answer.length, noData.authority.length], ['NOERROR', 0, 1]);
    assert.equal(world.timesAsked('nas.home.example'), 0);

    const [row] = await home.logged('www.home.example');
    assert.deepEqual(
      [row?.filtering_info.filtering_status, row?.filtering_info.filter_rule],
      ['MODIFIED', 'local record'],
    );
    await home.ask('PUT', `/api/v1/local_records/${made.id}`, { name: made.name, type: 'A', value: '192.168.1.55' });
    await assertAnswers('nas.home.example', 'A', ['nas.home.example. 60 IN A 192.168.1.55']);
    await home.ask('DELETE', `/api/v1/local_records/${made.id}`);
    assert.deepEqual((await home.dug(id, 'udp', 'nas.home.example')).answer, []);
  },
);

test('explain names the record and gives the records that the resolver answers', needs, async () => {
  for (const [name, type] of [
    ['www.home.example', 'AAAA'],
    ['x.apps.home.example', 'A'],
    ['home.example', 'TXT'],
    ['home.example', 'A'],
  ] as const) {
    const { local_names: local, verdict } = await explain(name, type);
    const { answer } = await home.dug(id, 'udp', name, type);
    const live = answer.map((line) => line.replace(/\. \d+ IN /, ' ').replace(/\.$/, ''));
    const explained = (local[0].answer as string[]).map((line) => line.replace(/\.$/, ''));
    assert.deepEqual(explained, live, `${name} ${type}`);
    assert.deepEqual(verdict, { kind: 'rewrite', rule: 'local record' });
  }
  assert.deepEqual((await explain('other.example.com')).local_names, []);
});

test('a hosts file is imported; bad lines are reported, existing records stay', needs, async () => {
  const hosts = '# LAN\r\n10.1.0.1\timp.home.example imp\r\nbad line\r\nfd00::9 imp.home.example\r\n';
  const first = await home.ask('POST', '/api/v1/local_records/import', { hosts });
  assert.deepEqual([first.added, first.unchanged, first.errors[0].line], [3, 0, 3]);
  const second = await home.ask('POST', '/api/v1/local_records/import', { hosts });
  assert.deepEqual([second.added, second.unchanged], [0, 3]);
  await assertAnswers('imp.home.example', 'A', ['imp.home.example. 60 IN A 10.1.0.1']);
  await assertAnswers('imp', 'A', ['imp. 60 IN A 10.1.0.1']);
});

test('bad records and rules are refused with their paths', needs, async () => {
  const record = (json: object) =>
    failing('POST', '/api/v1/local_records', { name: 'a', type: 'A', value: 'x', ...json });
  assert.match(await record({}), /^400 value must be an IPv4 address/);
  assert.match(await record({ type: 'MX' }), /^400 type/);
  assert.match(await record({ value: '1.2.3.4', dns_server_id: 'ffffffff' }), /^400 dns_server_id/);
  const rule = (json: object) =>
    failing('POST', '/api/v1/forward_rules', { domain: 'x', upstreams: [router], ...json });
  assert.match(await rule({ domain: '172.16.0.0/12' }), /^400 domain/);
  assert.match(await rule({ upstreams: ['quic://x'] }), /^400 upstreams\[0\]/);
  assert.match(await rule({ strategy: 'random' }), /^400 strategy/);
  assert.match(
    await rule({ upstreams: [`127.0.0.1:${home.service.ports.dns}`] }),
    /upstreams\[0\] this server answers there/,
  );
  assert.match(
    await failing('PUT', `/api/v1/dns_servers/${home.server}/local_names`, {
      dns64: { prefix: '10.0.0.0/8' },
      rebinding_allowed: ['a b'],
      search_domains: [],
    }),
    /^400 rebinding_allowed\[0\].*dns64\.prefix/,
  );
  assert.match(await failing('DELETE', '/api/v1/local_records/none', {}), /^404/);
});

const startRouter = (t: Parameters<typeof startProgram>[0]) =>
  startProgram(t, 'dnsmasq', [
    ...dnsmasqOptions,
    `--port=${routerPort}`,
    '--listen-address=127.0.0.1',
    '--bind-interfaces',
    '--local=/lan/',
    '--host-record=printer.lan,192.168.1.50',
  ]);

test('a forwarding rule is live: names and addresses of the local network come from the router', needs, async (t) => {
  startRouter(t);
  assert.equal((await home.dug(id, 'udp', '-x', '192.168.1.50')).status, 'NXDOMAIN', 'answered locally without a rule');
  const rule = await home.ask('POST', '/api/v1/forward_rules', { domain: 'lan', upstreams: [router] });
  await home.ask('POST', '/api/v1/forward_rules', { domain: '192.168.0.0/16', upstreams: [router] });
  await until('the router', async () => {
    const { answer } = await home.dug(id, 'udp', 'printer.lan');
    return answer.length > 0 ? answer : undefined;
  });
  for (const over of [...plain, ...plain]) {
    assert.match((await home.dug(id, over, 'printer.lan')).answer.join(), /A 192\.168\.1\.50$/, over);
    assert.match((await home.dug(id, over, '-x', '192.168.1.50')).answer.join(), /PTR printer\.lan\.$/, over);
  }
  assert.equal((await home.dug(id, 'udp', 'nothing.lan')).status, 'NXDOMAIN');
  const { local_names: local, answer } = await explain('printer.lan', 'A', { answer: ['192.168.1.50'] });
  assert.deepEqual(local, [{ kind: 'forward', name: 'lan', answer: [], upstreams: [router] }]);
  assert.equal(answer.verdict.kind, 'pass', 'no rebinding protection');

  await settings({ search_domains: ['lan', 'home.example'] });
  await assertAnswers('printer', 'A', ['printer. 60 IN CNAME printer.lan.', 'printer.lan. 0 IN A 192.168.1.50']);
  await home.set({ user_rules_settings: { enabled: true, rules: ['||printer.lan^'] } });
  assert.match(
    (await home.dug(id, 'udp', 'printer.lan')).answer.join(),
    /0\.0\.0\.0$/,
    'rules apply to forwarded names',
  );
  await home.set({ user_rules_settings: { enabled: true, rules: [] } });
  await settings({});
  await home.ask('DELETE', `/api/v1/forward_rules/${rule.id}`);
  assert.match(
    (await home.dug(id, 'udp', 'printer.lan')).answer.join(),
    new RegExp(`${HERE}$`),
    'from the upstream again',
  );
});

test('the target of a rewrite is a local name, and explain says the same', needs, async (t) => {
  startRouter(t);
  const { id: rule } = await home.ask('POST', '/api/v1/forward_rules', { domain: 'lan', upstreams: [router] });
  const rules = ['||to-nas.example.com^$dnsrewrite=imp.home.example', '||to-lan.example.com^$dnsrewrite=printer.lan'];
  await home.set({ user_rules_settings: { enabled: true, rules } });
  const answers = async (name: string) =>
    (await home.dug(id, 'udp', name)).answer.map((line) => line.split(' ').at(-1));
  assert.deepEqual(await answers('to-nas.example.com'), ['imp.home.example.', '10.1.0.1']);
  assert.deepEqual((await explain('to-nas.example.com')).target, {
    name: 'imp.home.example',
    kind: 'record',
    answer: ['imp.home.example A 10.1.0.1'],
    upstreams: [],
  });
  const fromRouter = await until('the router', async () => {
    const answer = await answers('to-lan.example.com');
    return answer.length > 0 ? answer : undefined;
  });
  assert.deepEqual(fromRouter, ['printer.lan.', '192.168.1.50']);
  assert.deepEqual((await explain('to-lan.example.com')).target, {
    name: 'printer.lan',
    kind: 'forward',
    answer: [],
    upstreams: [router],
  });
  await home.set({ user_rules_settings: { enabled: true, rules: [] } });
  await home.ask('DELETE', `/api/v1/forward_rules/${rule}`);
});

test('private answers are allowed per domain, from the next query on', needs, async () => {
  const asked = async () => (await home.dug(id, 'udp', 'rebound.example.com')).answer.join();
  assert.match(await asked(), /0\.0\.0\.0$/);
  const { rebinding_presets: presets } = await settings({ rebinding_allowed: ['rebound.example.com'] });
  assert.ok(presets.some(({ domain }: { domain: string }) => domain === 'plex.direct'));
  for (const _ of ['resolver thread', 'UDP thread']) assert.match(await asked(), /192\.168\.1\.60$/);
  const allowed = await explain('rebound.example.com', 'A', { answer: ['192.168.1.60'] });
  assert.equal(allowed.answer.verdict.kind, 'pass');
  await settings({});
  assert.match(await asked(), /0\.0\.0\.0$/);
});

test('DNS64 gives names without IPv6 an address below the prefix, over every path', needs, async () => {
  assert.deepEqual((await home.dug(id, 'udp', 'v4only.example.com', 'AAAA')).answer, []);
  const set = await settings({ dns64: {} });
  assert.deepEqual(set.dns64, { prefix: '64:ff9b::/96' });
  for (const over of [...plain, ...plain]) {
    const { answer } = await home.dug(id, over, 'v4only.example.com', 'AAAA');
    assert.match(answer.join(), /^v4only\.example\.com\. \d+ IN AAAA 64:ff9b::c000:221$/, over);
    assert.match((await home.dug(id, over, 'dual.example.com', 'AAAA')).answer.join(), /2001:db8::7$/);
  }
  assert.equal((await explain('v4only.example.com', 'AAAA')).dns64, '64:ff9b::/96');
  assert.equal((await explain('v4only.example.com', 'A')).dns64, undefined);
  await settings({});
  assert.deepEqual((await home.dug(id, 'udp', 'v4only.example.com', 'AAAA')).answer, []);
});

test('the hosts file of the operator is answered and read again', needs, async () => {
  await assertAnswers('box.home', 'A', ['box.home. 60 IN A 10.0.0.7']);
  await assertAnswers('7.0.0.10.in-addr.arpa', 'PTR', ['7.0.0.10.in-addr.arpa. 60 IN PTR box.home.']);
  writeFileSync(hostsFile, '10.0.0.8 box.home\nbad\n');
  await until('the new address', async () =>
    (await home.dug(id, 'udp', 'box.home')).answer.join().includes('10.0.0.8') ? true : undefined,
  );
});

test('records and rules of one DNS server or account are not those of another', needs, async () => {
  const other = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Other' });
  const device = await home.ask('POST', '/oapi/v1/devices', {
    name: 'x',
    device_type: 'LINUX',
    dns_server_id: other.id,
  });
  await create('scope.home.example', 'A', '10.5.0.1');
  await create('scope.home.example', 'A', '10.5.0.2', { dns_server_id: other.id });
  await assertAnswers('scope.home.example', 'A', ['scope.home.example. 60 IN A 10.5.0.1']);
  for (const over of plain)
    assert.match((await home.dug(device.id, over, 'scope.home.example')).answer.join(), /10\.5\.0\.2$/);
  await home.ask('DELETE', `/oapi/v1/dns_servers/${other.id}`);
  for (const over of plain)
    assert.match((await home.dug(device.id, over, 'scope.home.example')).answer.join(), /10\.5\.0\.1$/);
  const left = (await home.ask('GET', '/api/v1/local_records')) as { dns_server_id?: string }[];
  assert.ok(left.every(({ dns_server_id: server }) => server === undefined));

  const tenant = await addAccount(home.service, 'tenant@example.org');
  const theirs = await tenant.device('theirs');
  for (const over of plain) {
    const answer = (await tenant.dug(theirs.id, over, 'scope.home.example')).answer.join();
    assert.match(answer, new RegExp(`${HERE}$`), over);
  }
  assert.deepEqual(await tenant.ask('GET', '/api/v1/local_records'), []);
  const { forward_rules: rules, may_be_private: mayBePrivate } = await tenant.ask('GET', '/api/v1/forward_rules');
  assert.deepEqual([rules, mayBePrivate], [[], false]);
  assert.match(
    await failing('POST', '/api/v1/forward_rules', { domain: 'lan', upstreams: [router] }, tenant),
    /^400 upstreams\[0\]/,
  );
  const [record] = (await home.ask('GET', '/api/v1/local_records')) as { id: string }[];
  assert.match(await failing('DELETE', `/api/v1/local_records/${record!.id}`, {}, tenant), /^404/);
});

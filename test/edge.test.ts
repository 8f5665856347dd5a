import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { digAs } from './support/dig.ts';
import { type DnsService, type Home, makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';
import { faketimeFor } from './support/faketime.ts';
import { freePort } from './support/kit/ports.ts';
import { slow } from './support/kit/slow.ts';
import { httpOrigin } from './support/net/origin.ts';
import { startService } from './support/service.ts';

const BLOCKED = '0.0.0.0';
const HOUR_MS = 3_600_000;

type Ending = { after(end: () => unknown): void };

/** Queries the edge until the domain is blocked; returns the elapsed time. */
async function untilBlocked(t: Ending, edge: DnsService, device: string, domain: string): Promise<number> {
  const asks = await overUdp(t, edge, device, 1);
  const begun = performance.now();
  await until(`${domain} is blocked`, async () => (addressIn(await asks(domain)) === BLOCKED ? true : undefined));
  return performance.now() - begun;
}

/** Sends this number of queries to the edge, and waits for the answers. */
async function ask(t: Ending, edge: DnsService, device: string, times: number): Promise<void> {
  const asks = await overUdp(t, edge, device, 1);
  for (let query = 0; query < times; query += 1) await asks('counted.example');
}

/** Waits until the log of the controller has exactly this number of rows. */
async function untilLogged({ ask: request }: Home, rows: number): Promise<void> {
  const counted = async (): Promise<number> => {
    const range = `time_from_millis=0&time_to_millis=${Date.now() + 2 * HOUR_MS}`;
    return (await request('GET', `/oapi/v1/query_log?${range}&search=counted.example&limit=100`)).items.length;
  };
  await until(`${rows} rows in the log`, async () => ((await counted()) >= rows ? true : undefined));
  assert.equal(await counted(), rows);
}

const readyOf = async ({ adminPort }: DnsService) =>
  (await (await fetch(`http://127.0.0.1:${adminPort}/health/ready`)).json()) as {
    settings?: string;
    parts: { settings: { revision: number } };
  };

/** The ticket of a new TLS session. */
async function ticketOf(t: Ending, port: number): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  t.after(() => socket.destroy());
  const [ticket] = (await once(socket, 'session')) as [Buffer];
  return ticket;
}

async function isResumed(t: Ending, port: number, session: Buffer): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, session });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket.isSessionReused();
}

const listSettings = (...ids: string[]) => ({
  filter_lists_settings: { enabled: true, filter_list: ids.map((filter_id) => ({ filter_id, enabled: true })) },
});

test('an edge follows its controller, answers without it for an hour, and catches up', slow, async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const asked: string[] = [];
  const list = await httpOrigin(t, ({ url = '' }, response) => {
    asked.push(url);
    response.end(url === '/later' ? '||later.example^\n' : '||listed.example^\n');
  });
  const catalogue = join(data, 'catalogue.yaml');
  const later = `{ id: later_list, name: Later, source: '${new URL('/later', list.url).href}' }`;
  await writeFile(catalogue, `lists: [{ id: test_list, name: Test, source: '${list.url}' }, ${later}]`);
  const flags = [
    '--http',
    `127.0.0.1:${await freePort()}`,
    '--catalogue',
    catalogue,
    '--allow-source-address',
    '127.0.0.0/8',
  ];
  const clock = faketimeFor.skip ? undefined : await faketimeFor.clock(t);
  const controllerGiven = { data: join(data, 'controller'), env: clock?.env ?? {} };
  const controller = await startDns(t, world.address, flags, controllerGiven);
  const home = await makeHome(controller);
  const { id: device } = await home.device('laptop');
  const ruleSettings = (...rules: string[]) => ({
    ...listSettings('test_list'),
    user_rules_settings: { enabled: true, rules: rules.map((domain) => `||${domain}^`) },
    auto_connect_devices_enabled: true,
  });
  await home.set(ruleSettings('first.example'));
  const { id: node, node_key } = await home.ask('POST', '/api/v1/nodes', { name: 'edge' });

  const given = { data: join(data, 'edge'), env: { ...clock?.env, WEIR_NODE_KEY: node_key as string } };
  const follow = ['--role', 'dns', '--controller', controller.url];
  const edge = await startDns(t, world.address, follow, given);
  await untilBlocked(t, edge, device, 'first.example');
  await untilBlocked(t, edge, device, 'listed.example');
  await until('the settings are current', async () => ((await readyOf(edge)).settings ? undefined : true));

  await home.set(ruleSettings('first.example', 'second.example'));
  t.diagnostic(`a change reached the edge in ${Math.round(await untilBlocked(t, edge, device, 'second.example'))} ms`);
  const phone = await digAs(edge, `adr-${home.server}-My-Phone`, 'dot', ['first.example']);
  assert.equal(phone?.status, 'NOERROR');
  const devices = (await home.ask('GET', '/oapi/v1/devices')) as { name: string }[];
  assert.ok(devices.some(({ name }) => name === 'My Phone'));

  assert.equal(await isResumed(t, edge.ports.dot, await ticketOf(t, controller.ports.dot)), true);

  await ask(t, edge, device, 5);
  await untilLogged(home, 5);

  await controller.stop('SIGKILL');
  await ask(t, edge, device, 4);
  await clock?.shift('+3600');
  await ask(t, edge, device, 3);
  await untilBlocked(t, edge, device, 'second.example');
  assert.ok(!JSON.stringify(edge.log).includes(node_key));
  assert.equal(await edge.stop(), 0);
  const restarted = await startDns(t, world.address, follow, given);
  for (const domain of ['second.example', 'listed.example']) await untilBlocked(t, restarted, device, domain);
  assert.equal((await readyOf(restarted)).settings, 'last known');
  assert.ok(restarted.log.some(({ problem }) => /cannot be reached/.test(String(problem))));

  // Without DNS, it downloads lists for its edges.
  const settings = join(data, 'weir.yaml');
  await writeFile(settings, 'list-update-interval: 1h');
  const withoutDns = ['--role', 'api', '--source-port', '1', '--config', settings];
  const api = await startService(t, [...withoutDns, ...flags], controllerGiven);
  await home.set(ruleSettings('third.example'));
  const caughtUp = await untilBlocked(t, restarted, device, 'third.example');
  await home.set(listSettings('test_list', 'later_list'));
  await untilBlocked(t, restarted, device, 'later.example');
  assert.deepEqual(
    asked.filter((url) => url === '/later'),
    ['/later'],
  );
  if (clock) {
    await clock.shift('+3700');
    await writeFile(settings, 'list-update-interval: 60s');
    process.kill(api.pid, 'SIGHUP');
    await until('a download at the new interval', () => asked.filter((url) => url === '/later').length === 2);
  }
  await ask(t, restarted, device, 2);
  await untilLogged(home, 14);
  t.diagnostic(
    `after ${clock ? 'an hour' : 'some seconds'} without the controller and a restart: current in ${Math.round(caughtUp)} ms, 14 of 14 queries logged once`,
  );
  const [reported] = await until('a report of the node', async () => {
    const nodes = (await home.ask('GET', '/api/v1/nodes')) as { status?: { revision: number; address: string } }[];
    return (nodes[0]?.status?.revision ?? 0) > 0 ? nodes : undefined;
  });
  assert.equal(reported?.status?.address, '127.0.0.1');

  await home.ask('DELETE', `/api/v1/nodes/${node}`);
  await until('the key is refused', () =>
    restarted.log.find(({ problem }) => problem === 'the controller does not accept the node key'),
  );
  await untilBlocked(t, restarted, device, 'third.example');
});

test('a batch of records that is sent twice is stored once, and records that cannot be stored are refused', async (t) => {
  const world = await startWorld(t);
  const controller = await startDns(t, world.address);
  const home = await makeHome(controller);
  const { node_key } = await home.ask('POST', '/api/v1/nodes', { name: 'edge' });
  const [{ id: account }] = await home.ask('GET', '/oapi/v1/accounts');
  const record = {
    time: Date.now(),
    account,
    dnsServer: home.server,
    domain: 'counted.example',
    type: 1,
    rcode: 0,
    protocol: 'DNS',
    status: 'NONE',
    dnssec: false,
    companyId: '',
    category: 'OTHERS',
  };
  const send = async (batch: string, records: readonly object[], key = node_key as string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'weir-batch': batch, 'content-type': 'application/gzip' };
    const body = gzipSync(records.map((each) => JSON.stringify(each)).join('\n'));
    return (await fetch(`${controller.url}/internal/v1/log`, { method: 'POST', headers, body })).status;
  };
  const deleted = { ...record, account: 'deleted' };
  assert.deepEqual([await send('one', [record, record, deleted]), await send('one', [record, record])], [200, 200]);
  assert.equal(await send('two', [record]), 200);
  assert.deepEqual([await send('three', [{ ...record, type: 'A' }]), await send('', [record])], [400, 400]);
  assert.equal(await send('four', [record], 'another key'), 401);
  await untilLogged(home, 3);
});

test('the first start without a controller waits for it, and ends with a signal', async (t) => {
  const flags = ['--role', 'dns', '--dns', '127.0.0.1:0', '--controller', 'http://127.0.0.1:9', '--node-key', 'x'];
  await assert.rejects(
    startService({ after: (end) => t.after(end) }, flags, {
      onLine: (entry, stop) => void (/cannot be followed/.test(String(entry['msg'])) && stop('SIGTERM')),
    }),
    /did not start/,
  );
});

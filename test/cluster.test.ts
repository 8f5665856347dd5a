import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type DnsService, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { slow } from './support/kit/slow.ts';
import { env, missing } from './support/programs.ts';
import { startPostgresServer } from './support/store/postgres.ts';
import { startValkey } from './support/valkey.ts';

// The installation of examples/cluster without containers, on loopback ports. `npm run test:cluster` runs it alone.
const haproxyConfiguration = fileURLToPath(new URL('../examples/cluster/haproxy.cfg', import.meta.url));
const BLOCKED = '0.0.0.0';
const skip = missing('haproxy', 'redis-server', 'dig');

type Ending = { after(end: () => unknown): void };

async function startBalancer(t: Ending, ports: readonly number[]): Promise<string> {
  const port = await freePort();
  const [API1, API2] = ports.map((each) => `127.0.0.1:${each}`);
  const words = ['-db', '-f', haproxyConfiguration];
  const child = spawn('haproxy', words, { env: { ...env, LISTEN: `127.0.0.1:${port}`, API1, API2 }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the balancer', async () => {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    return response?.status === 200 || undefined;
  });
  return url;
}

test('two API nodes, two edges and a balancer survive the loss of each part', {
  ...slow,
  skip,
  timeout: 180_000,
}, async (t) => {
  const postgres = await startPostgresServer();
  if (!postgres) return t.skip('PostgreSQL is not installed');
  const valkey = await startValkey(t);
  const world = await startWorld(t);
  const ports = [await freePort(), await freePort()];
  const noDns = ['--dns', 'off', '--dot', 'off', '--doh', 'off'];
  const apiFlags = [
    '--role',
    'api',
    '--database',
    `${postgres.url}/postgres`,
    '--valkey',
    valkey.url,
    '--trusted-proxy',
    '127.0.0.1/32',
    ...noDns,
  ];
  const startApi = async (nth: 0 | 1): Promise<DnsService> =>
    startDns(t, world.address, [...apiFlags, '--http', `127.0.0.1:${ports[nth]}`]);
  const first = await startApi(0);
  const { authorization } = await makeHome(first);
  const second = await startApi(1);
  const balancer = await startBalancer(t, ports);
  const home = await homeOf({ ...second, url: balancer }, authorization);
  const { id: device } = await home.device('laptop');

  const data = await temporaryFolder(t);
  const startEdge = async (nth: number, key: string): Promise<DnsService> =>
    startDns(t, world.address, ['--role', 'dns', '--controller', balancer], {
      data: `${data}/edge${nth}`,
      env: { WEIR_NODE_KEY: key },
    });
  const keys: string[] = [];
  for (const name of ['edge1', 'edge2']) keys.push((await home.ask('POST', '/api/v1/nodes', { name })).node_key);
  const edges = await Promise.all(keys.map((key, nth) => startEdge(nth, key)));

  const isBlockedAt = async (edge: DnsService, domain: string): Promise<number> => {
    const asks = await overUdp(t, edge, device, 1);
    const begun = performance.now();
    await until(`${domain} is blocked`, async () => (addressIn(await asks(domain)) === BLOCKED ? true : undefined));
    return Math.round(performance.now() - begun);
  };
  const block = (domain: string): Promise<void> =>
    home.set({ user_rules_settings: { enabled: true, rules: [`||${domain}^`] } });
  const blockWhenPossible = (domain: string) =>
    until(`a change for ${domain}`, () =>
      block(domain).then(
        () => true,
        () => undefined,
      ),
    );
  const reaches = async (what: string, domain: string): Promise<void> => {
    const times = await Promise.all(edges.map((edge) => isBlockedAt(edge, domain)));
    t.diagnostic(`${what}: at the edges after ${times.join(' and ')} ms`);
  };

  await block('one.example.com');
  await reaches('a change', 'one.example.com');

  await first.stop('SIGKILL');
  await blockWhenPossible('two.example.com');
  await reaches('a change after an API node was killed', 'two.example.com');

  await valkey.kill();
  await block('three.example.com');
  await reaches('a change without Valkey', 'three.example.com');

  postgres.freeze();
  const refused = await fetch(`${balancer}/oapi/v1/devices`, { headers: { authorization } }).catch(() => undefined);
  assert.ok(refused === undefined || refused.status >= 500, `${refused?.status}`);
  for (const edge of edges) {
    const asks = await overUdp(t, edge, device, 1);
    assert.equal(addressIn(await asks('three.example.com')), BLOCKED);
    assert.equal(addressIn(await asks('allowed.example.com')), HERE);
  }
  await edges[0]!.stop('SIGKILL');
  edges[0] = await startEdge(0, keys[0]!);
  await isBlockedAt(edges[0], 'three.example.com');
  postgres.thaw();
  await blockWhenPossible('four.example.com');
  await reaches('a change after the database was frozen', 'four.example.com');
});

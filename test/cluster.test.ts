import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type DnsService, homeOf, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { slow } from './support/kit/slow.ts';
import { httpOrigin } from './support/net/origin.ts';
import { env, missing } from './support/programs.ts';
import { startPostgresServer } from './support/store/postgres.ts';
import { startValkey } from './support/valkey.ts';
import { bin, start } from './support/weir.ts';

// The installation of examples/cluster without containers, on loopback ports. `npm run test:cluster` runs it alone.
const haproxyConfiguration = fileURLToPath(new URL('../examples/cluster/haproxy.cfg', import.meta.url));
const script = fileURLToPath(new URL('../examples/cluster/show.sh', import.meta.url));
const BLOCKED = '0.0.0.0';
const skip = missing('haproxy', 'redis-server', 'dig', 'curl');

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

type Command = (nodeKeys: readonly string[]) => unknown;

/** A program that runs `weir` itself, and has the test run other commands. */
async function fakeCompose(t: TestContext, commands: Readonly<Record<string, Command>>): Promise<string> {
  const { url } = await httpOrigin(t, (request, response) => {
    void (async () => {
      const command = await text(request);
      await commands[command]!(String(request.headers['node-keys']).trim().split(' '));
      response.end();
    })();
  });
  const run = `curl -fsS --data "$*" -H "Node-Keys: \${NODE_KEY1:-} \${NODE_KEY2:-}" ${url}`;
  const program = `#!/bin/sh
[ "$1" != exec ] || { shift 4; exec ${bin}weir "$@"; }
${run}
`;
  const file = `${await temporaryFolder(t)}/compose`;
  await writeFile(file, program, { mode: 0o755 });
  return file;
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
  const database = `${postgres.url}/postgres`;
  const ports = [await freePort(), await freePort()];
  const noDns = ['--dns', 'off', '--dot', 'off', '--doh', 'off'];
  const apiFlags = [
    '--role',
    'api',
    '--database',
    database,
    '--valkey',
    valkey.url,
    '--trusted-proxy',
    '127.0.0.1/32',
    ...noDns,
  ];
  const startApi = async (nth: 0 | 1): Promise<DnsService> =>
    startDns(t, world.address, [...apiFlags, '--http', `127.0.0.1:${ports[nth]}`]);
  const first = await startApi(0);
  const second = await startApi(1);
  const balancer = await startBalancer(t, ports);

  const data = await temporaryFolder(t);
  const edgePorts = [await freePort(), await freePort()];
  const keys: string[] = [];
  const startEdge = async (nth: number): Promise<DnsService> =>
    startDns(t, world.address, ['--role', 'dns', '--controller', balancer, '--dns', `127.0.0.1:${edgePorts[nth]}`], {
      data: `${data}/edge${nth}`,
      env: { WEIR_NODE_KEY: keys[nth]! },
    });
  const edges: DnsService[] = [];
  // The script of the example, with a program in place of compose.
  const compose = await fakeCompose(t, {
    'up -d postgresql valkey api1 api2 balancer': async () => {},
    'up -d edge1 edge2': async (given) => {
      keys.push(...given);
      edges.push(...(await Promise.all([startEdge(0), startEdge(1)])));
    },
    'kill api1': () => first.stop('SIGKILL'),
    'pause postgresql': postgres.freeze,
    'unpause postgresql': postgres.thaw,
  });
  const given = {
    ...env,
    WEIR_DATABASE: database,
    WEIR_DATA: data,
    CLUSTER_URL: balancer,
    EDGE_PORTS: edgePorts.join(' '),
  };
  const begunAt = performance.now();
  const shown = await start('sh', [script], { cwd: data, env: { ...given, COMPOSE: compose } }).ended;
  assert.equal(shown.code, 0, shown.stderr + shown.stdout);
  assert.equal(shown.stdout.match(/is blocked at both edges/g)?.length, 4, shown.stdout);
  t.diagnostic(`examples/cluster/show.sh: ${Math.round(performance.now() - begunAt)} ms`);
  const created = await start(`${bin}weir`, 'account key --email me@example.org --name test --json'.split(' '), {
    cwd: data,
    env: given,
  }).ended;
  const { key } = JSON.parse(created.stdout) as { key: string };
  const authorization = `ApiKey ${key}`;
  const home = await homeOf({ ...second, url: balancer }, authorization);
  const { id: device } = await home.device('phone');

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
  edges[0] = await startEdge(0);
  await isBlockedAt(edges[0], 'three.example.com');
  postgres.thaw();
  await blockWhenPossible('four.example.com');
  await reaches('a change after the database was frozen', 'four.example.com');
});

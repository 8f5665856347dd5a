import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { damageLock, deleteSettings, emptySettings, startMissingFolder } from './support/attacks/lost-settings.ts';
import { type DnsService, type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { startSteadyClient } from './support/steady-client.ts';
import { bin, start } from './support/weir.ts';

const CACHED = 'cached.example.com';
const QUERIES = 50;

/** A service with one account and one device that has a backup of its settings. */
async function startHome(t: { after(end: () => unknown): void }) {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const service = await startDns(t, world.address, [], { data });
  const home = await makeHome(service);
  const { id: device } = await home.device('laptop');
  await home.dug(device, 'udp', CACHED, 'A');
  const backup = join(await temporaryFolder(t), 'backup');
  const weir = (...words: string[]) => start(`${bin}weir`, [...words, '--data', data], { cwd: '/' }).ended;
  assert.equal((await weir('backup', '--file', backup)).code, 0);
  return { world, data, service, home, device, backup, weir };
}

/** How many of some queries are answered. */
async function assertAnswers(
  t: { diagnostic(text: string): void },
  service: DnsService,
  device: string,
): Promise<void> {
  const client = startSteadyClient({ port: service.ports.dns, device, domain: CACHED }, 20, QUERIES);
  await until('queries', () => (client.sent() === QUERIES ? true : undefined));
  const { sent, answered } = await client.stop();
  t.diagnostic(`DNS answered: ${answered} of ${sent}`);
  assert.ok(answered >= sent * 0.99, `${answered} of ${sent}`);
}

const change = ({ server, authorization }: Home, { url }: DnsService): Promise<Response> =>
  fetch(`${url}/oapi/v1/dns_servers/${server}/settings`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ block_ttl_seconds: 77 }),
  });

const readyOf = async ({ url }: DnsService) => {
  const { parts, ...body } = (await (await fetch(`${url}/health/ready`)).json()) as {
    parts: { settings: { state: string } };
  };
  assert.match(parts.settings.state, /^(last known|stale)$/);
  return body;
};
const isCurrent = async ({ adminPort }: DnsService): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(/^weir_dns_settings_are_current (\d)$/m.exec(text)?.[1]);
};

for (const [how, lose] of [
  ['deleted', deleteSettings],
  ['emptied', emptySettings],
] as const)
  test(`settings that were ${how} are lost, not a new installation; a backup is restored while the server runs`, async (t) => {
    const { world, data, service, home, device, backup, weir } = await startHome(t);
    assert.equal(await service.stop(), 0);
    lose(data);
    const again = await startDns(t, world.address, [], { data });
    await assertAnswers(t, again, device);
    assert.equal((await change(home, again)).status, 503);
    assert.deepEqual(await readyOf(again), { status: 'ready', dns: 'listening', settings: 'last known' });
    assert.equal(await isCurrent(again), 0);
    assert.equal(
      again.log.find((entry) => entry['setUpUrl'] !== undefined),
      undefined,
      'no link to set it up',
    );
    assert.ok(again.log.some(({ problem }) => String(problem).includes('weir restore --file')));
    const file = join(data, 'settings.sqlite');
    assert.equal(existsSync(file) ? statSync(file).size : 0, 0, 'nothing is written in its place');

    const restored = await weir('restore', '--file', backup);
    assert.equal(restored.code, 0, restored.stderr);
    await until('the settings', async () => ((await change(home, again)).status === 200 ? true : undefined));
    assert.equal(await isCurrent(again), 1);
    await assertAnswers(t, again, device);
    assert.equal(await again.stop(), 0);
  });

test('without the snapshot a lost file is a new installation', async (t) => {
  const { world, data, service } = await startHome(t);
  assert.equal(await service.stop(), 0);
  deleteSettings(data);
  await rm(join(data, 'directory.snapshot'));
  const again = await startDns(t, world.address, [], { data });
  await until('the link', () => again.log.find((entry) => entry['setUpUrl'] !== undefined));
});

test('the last account that a command deletes is deleted, not lost', async (t) => {
  const { world, data, service, weir } = await startHome(t);
  assert.equal(await service.stop(), 0);
  const snapshot = await readFile(join(data, 'directory.snapshot'));
  const deleted = await weir('account', 'delete', '--email', 'home@example.org', '--yes');
  assert.equal(deleted.code, 0, deleted.stderr);
  // As after a crash between the deletion and the next snapshot.
  await writeFile(join(data, 'directory.snapshot'), snapshot);
  const again = await startDns(t, world.address, [], { data });
  await until('the link', () => again.log.find((entry) => entry['setUpUrl'] !== undefined));
});

test('a change is rejected while the data folder is missing, and accepted afterwards', async (t) => {
  const { data, service, home, device } = await startHome(t);
  const missing = startMissingFolder({ data });
  assert.equal((await change(home, service)).status, 503);
  assert.equal(
    (await fetch(`${service.url}/oapi/v1/devices`, { headers: { authorization: home.authorization } })).status,
    200,
  );
  await assertAnswers(t, service, device);
  assert.equal(await isCurrent(service), 0);
  assert.deepEqual(await readyOf(service), { status: 'ready', dns: 'listening', settings: 'last known' });
  await until('the warning', () => service.log.find(({ msg }) => String(msg).includes('deleted or replaced')));
  await missing.stop();
  assert.equal((await change(home, service)).status, 200);
  assert.equal(await isCurrent(service), 1);
});

test('garbage in the file of the lock stops neither a start nor the lock of a server that runs', async (t) => {
  const { world, data, service, home } = await startHome(t);
  damageLock(data);
  const second = start(
    `${bin}weir`,
    [
      'serve',
      '--data',
      data,
      '--http',
      '127.0.0.1:0',
      '--admin',
      'off',
      '--dns',
      'off',
      '--dot',
      'off',
      '--doh',
      'off',
    ],
    { cwd: '/' },
  );
  const { code, stderr } = await second.ended;
  assert.equal(code, 1);
  assert.match(stderr, /another server .* uses the folder/);
  assert.equal((await change(home, service)).status, 200);
  assert.equal(await service.stop(), 0);

  damageLock(data);
  const again = await startDns(t, world.address, [], { data });
  assert.equal((await change(await homeOf(again, home.authorization), again)).status, 200);
  assert.ok(again.log.some(({ msg }) => String(msg).includes('lock.sqlite was damaged')));
});

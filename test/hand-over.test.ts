import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { startLoads, unlimited } from './support/retrying-load.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

// `WEIR_HAND_OVER_QUERIES=100000` for the figure in docs/scaling.md.
const QUERIES = Number(process.env['WEIR_HAND_OVER_QUERIES'] ?? 400);

test('a second process takes over the ports of the first one under load without a lost query', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const ports = await Promise.all(
    ['dns', 'dot', 'doh'].map(async (on) => [`--${on}`, `127.0.0.1:${await freePort()}`]),
  );
  const flags = [...ports.flat(), '--database', database, '--share-ports', 'on', '--drain', '1s'];
  const first = await startDns(t, world.address, [...flags, ...unlimited]);
  const home = await makeHome(first);
  const { id } = await home.device('always answered');
  assert.equal((await home.dug(id, 'udp', 'kept.example.com')).status, 'NOERROR');
  const stopLoads = startLoads([first], id, QUERIES);
  const second = await startDns(t, world.address, [...flags, ...unlimited]);
  assert.deepEqual(second.ports, first.ports);
  assert.equal(await first.stop(), 0);
  for (const [over, { sent, lost, repeated }] of await stopLoads()) {
    t.diagnostic(`P9 hand-over over ${over}: ${sent} queries, ${repeated} repeated, ${lost} lost`);
    assert.equal(lost, 0);
  }
  await assert.rejects(
    startDns(t, world.address, [...ports.flat(), '--database', database]),
    /EADDRINUSE|in use/,
    'without the setting a port is not shared',
  );
});

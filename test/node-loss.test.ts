import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import type { Over } from './support/dig.ts';
import { type DnsService, makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { type Load, startLoads, unlimited } from './support/retrying-load.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

// `WEIR_HAND_OVER_QUERIES=100000` for the figure in docs/scaling.md.
const QUERIES = Number(process.env['WEIR_HAND_OVER_QUERIES'] ?? 400);

/** Ports that a restarted node has again. */
const freePorts = async (): Promise<readonly string[]> =>
  (await Promise.all(['dns', 'dot', 'doh'].map(async (on) => [`--${on}`, `127.0.0.1:${await freePort()}`]))).flat();

function assertNothingLost(t: TestContext, what: string, loads: ReadonlyMap<Over, Load>): void {
  for (const [over, { sent, lost, repeated }] of loads) {
    t.diagnostic(`P9 ${what} over ${over}: ${sent} queries, ${repeated} repeated, ${lost} lost`);
    assert.equal(lost, 0, `${what} over ${over}`);
  }
}

test('one of two nodes is restarted, and killed, under load without a lost query', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const flags = ['--database', database, '--drain', '1s', ...unlimited];
  const ports = await freePorts();
  const startFirst = (): Promise<DnsService> => startDns(t, world.address, [...flags, ...ports]);
  const first = await startFirst();
  const home = await makeHome(first);
  const second = await startDns(t, world.address, flags);
  const { id } = await home.device('always answered');
  assert.equal((await home.dug(id, 'udp', 'kept.example.com')).status, 'NOERROR');

  const stopLoads = startLoads([first, second], id, QUERIES / 2);
  assert.equal(await first.stop(), 0);
  const restarted = await startFirst();
  assertNothingLost(t, 'restart of one of two nodes', await stopLoads());

  const stopLoadsOfKill = startLoads([restarted, second], id, QUERIES / 2);
  await restarted.stop('SIGKILL');
  const again = await startFirst();
  assertNothingLost(t, 'kill -9 of one of two nodes', await stopLoadsOfKill());
  // The restarted node answers again.
  assertNothingLost(t, 'the node after kill -9', await startLoads([again], id, 8)());
});

test('an edge and its controller are killed under load without a lost query', async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const http = ['--http', `127.0.0.1:${await freePort()}`];
  const startController = (): Promise<DnsService> =>
    startDns(t, world.address, [...http, '--role', 'api', '--dns', 'off', '--dot', 'off', '--doh', 'off'], {
      data: `${data}/controller`,
    });
  const controller = await startController();
  const home = await makeHome(controller);
  const { id } = await home.device('always answered');
  const keys = await Promise.all(['one', 'two'].map((name) => home.ask('POST', '/api/v1/nodes', { name })));
  const ports = [await freePorts(), await freePorts()];
  const startEdge = (nth: number): Promise<DnsService> =>
    startDns(t, world.address, ['--role', 'dns', '--controller', controller.url, ...ports[nth]!, ...unlimited], {
      data: `${data}/edge${nth}`,
      env: { WEIR_NODE_KEY: keys[nth].node_key as string },
    });
  const [first, second] = await Promise.all([startEdge(0), startEdge(1)]);
  for (const edge of [first, second]) assertNothingLost(t, 'a new edge', await startLoads([edge], id, 8)());

  const stopLoads = startLoads([first, second], id, QUERIES);
  await first.stop('SIGKILL');
  const restarted = await startEdge(0);
  await controller.stop('SIGKILL');
  await startController();
  assertNothingLost(t, 'kill -9 of an edge and of its controller', await stopLoads());
  assertNothingLost(t, 'the edge after kill -9', await startLoads([restarted], id, 8)());
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { homeOf, makeHome, startDns, until } from './support/dns.ts';
import { overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { newClickhouseDatabase } from './support/query-log/clickhouse.ts';

const COUNT = "SELECT count() FROM queries WHERE domain = 'counted.example'";

test('an edge writes its query log directly to ClickHouse, even while its controller is unavailable', async (t) => {
  const database = await newClickhouseDatabase();
  if (!database) return t.skip('chdb is not installed');
  const world = await startWorld(t);
  const log = ['--query-log', database.url];
  const data = await temporaryFolder(t);
  const http = ['--http', `127.0.0.1:${await freePort()}`];
  const startController = () => startDns(t, world.address, [...http, ...log], { data });
  const controller = await startController();
  const home = await makeHome(controller);
  const { id: device } = await home.device('phone');
  const { node_key: key } = await home.ask('POST', '/api/v1/nodes', { name: 'edge' });
  const edge = await startDns(t, world.address, ['--role', 'dns', '--controller', controller.url, ...log], {
    env: { WEIR_NODE_KEY: key as string },
  });
  const ask = async (times: number): Promise<void> => {
    const asks = await overUdp(t, edge, device, 1);
    for (let query = 0; query < times; query += 1) await asks('counted.example');
  };
  const untilStored = (rows: number) =>
    until(`${rows} rows`, async () => (Number(/\d+/.exec(await database.run(COUNT))) === rows ? true : undefined));

  await ask(3);
  await untilStored(3);
  await controller.stop('SIGKILL');
  await ask(2);
  await untilStored(5);

  const { ask: request } = await homeOf(await startController(), home.authorization);
  const range = `time_from_millis=0&time_to_millis=${Date.now() + 60_000}`;
  const { items } = await request('GET', `/oapi/v1/query_log?${range}&search=counted.example&limit=100`);
  assert.equal(items.length, 5);
  assert.ok(items.every(({ device_id }: { device_id: string }) => device_id === device));
});

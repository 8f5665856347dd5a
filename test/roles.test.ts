import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, configurationOf, rulesIn } from './support/hostile.ts';
import { startService } from './support/service.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('a compile node serves the compile service and nothing else', async (t) => {
  const node = await startService(t, ['--role', 'compile']);
  const { status, json } = await ask(node, '/compile', configurationOf('||ads.example^'));
  assert.deepEqual([status, rulesIn({ json })], [200, ['||ads.example^']]);
  for (const path of ['/', '/sign-in', '/api/v1/session', '/swagger/openapi.json'])
    assert.equal(await statusOf(node.url + path), 404, path);
  assert.equal(await statusOf(`${node.url}/health/ready`), 200);
  assert.equal(await node.stop(), 0);
});

test('a dns node has health checks and metrics only; an api node answers no DNS', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('needs PostgreSQL');
  const node = await startService(t, ['--role', 'dns', '--dns', '127.0.0.1:0', '--database', database]);
  const listening = node.log.find(({ msg }) => msg === 'listening');
  assert.ok(listening?.['dns']);
  assert.equal(listening['port'], undefined);
  assert.equal(listening['doh'], undefined);
  const admin = `http://127.0.0.1:${node.adminPort}`;
  const ready = await fetch(`${admin}/health/ready`);
  assert.equal(ready.status, 200);
  assert.partialDeepStrictEqual(await ready.json(), { status: 'ready', dns: 'listening' });
  assert.match(await (await fetch(`${admin}/metrics`)).text(), /weir_settings_revision \d/);
  assert.equal(await statusOf(`${admin}/api/v1/session`), 404);

  const api = await startService(t, ['--role', 'api', '--database', database]);
  assert.equal(await statusOf(`${api.url}/swagger/openapi.json`), 200);
  assert.equal(api.log.find(({ msg }) => msg === 'listening')?.['dns'], undefined);
});

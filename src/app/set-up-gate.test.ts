import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { serveOnlySetUp } from './set-up-gate.ts';

test('until an account exists, other machines reach only the set-up', async (t) => {
  const server = Fastify();
  t.after(() => server.close());
  const state = { hasAccount: false };
  serveOnlySetUp(server, async () => state.hasAccount);
  for (const path of ['/set-up', '/api/v1/set_up', '/health/live', '/oapi/v1/devices', '/compile'])
    server.get(path, async () => 'served');
  const statusFrom = async (localAddress: string, url: string): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    server.inject({ url, remoteAddress: localAddress }, (_error, response) => resolve(response?.statusCode ?? 0));
    return promise;
  };
  for (const path of ['/set-up', '/api/v1/set_up', '/health/live'])
    assert.equal(await statusFrom('192.168.1.7', path), 200, path);
  for (const path of ['/oapi/v1/devices', '/compile', '/compile?x=/set-up'])
    assert.equal(await statusFrom('192.168.1.7', path), 403, path);
  state.hasAccount = true;
  assert.equal(await statusFrom('192.168.1.7', '/oapi/v1/devices'), 200);
});

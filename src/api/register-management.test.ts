import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { openApi } from '../../test/support/api.ts';
import type { Deps } from './deps.ts';
import { registerManagement } from './register-management.ts';

async function openServer(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const { deps } = await openApi(t, [], given);
  const faults: string[] = [];
  const server = Fastify();
  await registerManagement(server, deps, {
    version: '1.11',
    onFault: (fault, { path }) => faults.push(`${path}: ${String(fault)}`),
  });
  return { server, faults };
}

/** Registering all routes takes a while: tests that only ask share a server. */
const shared = openServer({ after });

test('a known path answers other methods with the allowed ones', async () => {
  const { server } = await shared;
  const wrong = await server.inject({ method: 'DELETE', url: '/oapi/v1/devices' });
  assert.deepEqual([wrong.statusCode, wrong.headers['allow']], [405, 'GET, HEAD, POST']);
});

test('unknown paths of both APIs are not found', async () => {
  const { server } = await shared;
  for (const url of ['/oapi', '/oapi/v1/none', '/api/v1', '/api/v1/none']) {
    const reply = await server.inject({ method: 'POST', url, payload: 'text' });
    assert.deepEqual([reply.statusCode, reply.json().message], [404, 'Path not found'], url);
  }
});

test('pages of other sites may call the published API, and not the extensions', async () => {
  const { server } = await shared;
  const originOf = async (url: string) =>
    (await server.inject({ method: 'OPTIONS', url })).headers['access-control-allow-origin'];
  assert.deepEqual([await originOf('/oapi/v1/devices'), await originOf('/api/v1/session')], ['*', undefined]);
});

test('a fault is logged with the path, and the client learns only its kind', async (t) => {
  const { server, faults } = await openServer(t, {
    clientOf: () => {
      throw new Error('secret detail');
    },
  });
  const reply = await server.inject({ method: 'GET', url: '/linkip/x/y' });
  assert.deepEqual([reply.statusCode, reply.payload.includes('secret')], [500, false]);
  assert.deepEqual(faults, ['/linkip/:device_id/:token: Error: secret detail']);
});

test('the document and the links of devices are served in addition to the operations', async () => {
  const { server } = await shared;
  const { paths } = (await server.inject({ method: 'GET', url: '/swagger/openapi.json' })).json();
  for (const path of ['/oapi/v1/devices', '/api/v1/system', '/linkip/{device_id}/{token}'])
    assert.ok(paths[path], path);
  assert.equal((await server.inject({ method: 'GET', url: '/linkip/x/y' })).statusCode, 404);
});

test('the live streams end before the server closes', async (t) => {
  let ended = 0;
  const liveLog = { open: () => undefined, endAll: () => void ended++ };
  const { server } = await openServer(t, { liveLog });
  await server.close();
  assert.equal(ended, 1);
});

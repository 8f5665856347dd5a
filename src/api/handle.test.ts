import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import Type from 'typebox';
import { openApi } from '../../test/support/api.ts';
import { userNamed } from '../../test/support/store/accounts.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { err, ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { deviceOperations } from './devices.ts';
import { routesOf } from './handle.ts';
import { publicRoute } from './operation.ts';
import { openSession } from './sign-in.ts';

const conflicting = publicRoute({
  method: 'GET',
  path: '/api/v1/conflicting',
  group: 'Test',
  summary: 'Fails',
  responseDescription: 'Nothing.',
  run: async () => err({ kind: 'conflict', what: 'id' }),
});
const echo = publicRoute({
  method: 'GET',
  path: '/api/v1/echo',
  group: 'Test',
  summary: 'Returns its parameter',
  query: Type.Object({ text: Type.String() }),
  reply: Type.String(),
  responseDescription: 'The parameter.',
  run: async (_deps, { query }) => ok(query.text),
});

/** The operations of devices as routes, with an owner and a viewer of one account. */
async function openRoutes(t: TestContext, given: Partial<Deps> = {}) {
  const api = await openApi(t, deviceOperations, given);
  const home = await api.account('home');
  const viewer = userNamed('viewer', { account: home.account, role: 'viewer' });
  await api.store.inTransaction(({ users }) => users.add(viewer));
  const credentialsOf = async (user: Pick<typeof viewer, 'account' | 'id'>): Promise<string> => {
    const origin = { sessionKind: { kind: 'own program' }, from: '192.0.2.1', userAgent: undefined } as const;
    const tokens = await api.store.inTransaction((transaction) => openSession(transaction, api.deps, user, origin));
    return `Bearer ${tokens.accessToken}`;
  };
  const server = Fastify();
  t.after(() => server.close());
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const faults: string[] = [];
  server.setErrorHandler((fault: Error, _request, reply) => {
    faults.push(fault.message);
    return reply.code(500).send();
  });
  registerRoutes(server, routesOf([...deviceOperations, conflicting, echo], api.deps));
  const owner = await credentialsOf({ account: home.account, id: home.user });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (method: string, path: string, headers: object = { authorization: owner }, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, header: (name: string) => answer.headers.get(name), text: await answer.text() };
  };
  const phone = { device_type: 'ANDROID', dns_server_id: home.server, name: 'Phone' };
  return { ...api, home, ask, phone, faults, owner, viewer: await credentialsOf(viewer) };
}

test('credentials are checked before the role, and the role before the content', async (t) => {
  const { ask, viewer, store, home } = await openRoutes(t);
  const invalidBody = { device_type: 1 };
  assert.equal((await ask('POST', '/oapi/v1/devices', {}, invalidBody)).status, 401);
  assert.equal((await ask('POST', '/oapi/v1/devices', { authorization: viewer }, invalidBody)).status, 403);
  assert.equal((await ask('POST', '/oapi/v1/devices', undefined, invalidBody)).status, 400);
  assert.deepEqual(await store.read.devices.list(home.account), []);
});

test('an account that the user does not belong to is refused', async (t) => {
  const { ask, owner, account } = await openRoutes(t);
  const other = await account('other');
  const answer = await ask('GET', '/oapi/v1/devices', { authorization: owner, 'x-account-id': other.account });
  assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
});

test('a path with NUL is not found, and a query with NUL is invalid', async (t) => {
  const { ask } = await openRoutes(t);
  assert.equal((await ask('GET', '/oapi/v1/devices/%00')).status, 404);
  assert.equal((await ask('GET', '/api/v1/echo?text=a%00b')).status, 400);
  assert.equal((await ask('GET', '/api/v1/echo?text=ab')).text, '"ab"');
});

test('pages of other origins may read replies and errors of the published API', async (t) => {
  const { ask } = await openRoutes(t);
  for (const answer of [await ask('GET', '/oapi/v1/devices'), await ask('GET', '/oapi/v1/devices', {})])
    assert.deepEqual([answer.header('access-control-allow-origin'), answer.header('cache-control')], ['*', 'no-store']);
  assert.equal((await ask('GET', '/api/v1/conflicting')).header('access-control-allow-origin'), null);
});

test('a reply has the tag of the state, and a change of another state is refused', async (t) => {
  const { ask, phone, owner } = await openRoutes(t);
  const created = await ask('POST', '/oapi/v1/devices', undefined, phone);
  assert.equal(created.status, 200, created.text);
  const path = `/oapi/v1/devices/${JSON.parse(created.text).id}`;
  const tag = async () => (await ask('GET', path)).header('etag');
  const before = (await tag()) ?? assert.fail('no tag');
  assert.equal(await tag(), before);
  const rename = (name: string) => ask('PUT', path, { authorization: owner, 'if-match': before }, { name });
  assert.equal((await rename('Tablet')).status, 200);
  assert.notEqual(await tag(), before);
  assert.equal((await rename('Other')).status, 412);
});

test('requests above the rate of the operator are refused, with the time to wait', async (t) => {
  let taken = 0;
  const take = async () => ({ allowed: ++taken <= 2, limit: 2, remaining: Math.max(0, 2 - taken), resetMs: 200 });
  const { ask } = await openRoutes(t, { requestRate: { take } as unknown as NonNullable<Deps['requestRate']> });
  const seen: unknown[] = [];
  for (let requests = 0; requests < 3; requests++) {
    const { status, header } = await ask('GET', '/oapi/v1/devices');
    seen.push([status, header('ratelimit-remaining'), header('retry-after')]);
  }
  assert.deepEqual(seen, [
    [200, '1', null],
    [200, '0', null],
    [429, '0', '1'],
  ]);
  assert.equal((await ask('GET', '/oapi/v1/devices', {})).status, 401);
  assert.equal(taken, 3);
});

test('a conflict that no request can cause is a fault of the service', async (t) => {
  const { ask, faults } = await openRoutes(t);
  assert.equal((await ask('GET', '/api/v1/conflicting')).status, 500);
  assert.deepEqual(faults, ['conflict of id after all attempts']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { openApi } from '../../test/support/api.ts';
import { isAuthenticated } from './is-authenticated.ts';
import { openSession } from './sign-in.ts';

type Headers = Readonly<Record<string, string>>;
const requestWith = (headers: Headers, method = 'GET') =>
  ({
    method,
    protocol: 'https',
    headers: { host: 'weir.example', ...headers },
    raw: { headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) },
  }) as unknown as FastifyRequest;

test('a request is authenticated by a valid token, or by the cookie on a page of the service', async (t) => {
  const { account, deps, store } = await openApi(t, []);
  const home = await account('home');
  const { accessToken } = await store.inTransaction((transaction) =>
    openSession(
      transaction,
      deps,
      { account: home.account, id: home.user },
      { sessionKind: { kind: 'page', isPersistent: false }, from: '192.0.2.1', userAgent: undefined },
    ),
  );
  const answerFor = (headers: Headers) => isAuthenticated(deps, requestWith(headers));
  const cookie = `__Host-weir-session=${accessToken}`;
  assert.equal(await answerFor({ authorization: `Bearer ${accessToken}` }), true);
  assert.equal(await answerFor({ cookie, 'sec-fetch-site': 'same-origin' }), true);
  assert.equal(await answerFor({}), false);
  assert.equal(await answerFor({ authorization: 'Bearer other' }), false);
  assert.equal(await answerFor({ authorization: 'Bearer other', cookie }), false);
  assert.equal(await answerFor({ cookie, 'sec-fetch-site': 'cross-site' }), false);
});

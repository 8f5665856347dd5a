import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { userNamed } from '../../test/support/store/accounts.ts';
import {
  answerSession,
  credentialsOf,
  endOfCookie,
  idleMinutesOf,
  pageOriginOf,
  wantedCookie,
} from './session-cookie.ts';

type Headers = Readonly<Record<string, string>>;
const requestWith = (headers: Headers, method = 'GET', protocol = 'https'): FastifyRequest => {
  const { authorization } = headers;
  return {
    method,
    protocol,
    headers: { host: 'weir.example', ...headers },
    raw: { headersDistinct: authorization === undefined ? {} : { authorization: [authorization] } },
  } as unknown as FastifyRequest;
};
const deps = { publicUrl: () => 'http://weir.example' };
const cookie = '__Host-weir-session=token';
const own = 'https://weir.example';

test('the session cookie is accepted only from pages of the same host', () => {
  const given = (headers: Headers, method?: string) => credentialsOf(deps, requestWith({ cookie, ...headers }, method));
  const accepted = ['Bearer token'];
  assert.deepEqual(given({}), accepted);
  assert.deepEqual(given({ 'sec-fetch-site': 'none' }), accepted);
  assert.deepEqual(given({ origin: own }, 'POST'), accepted);
  assert.deepEqual(given({ 'sec-fetch-site': 'same-origin' }, 'DELETE'), accepted);
  for (const [headers, method] of [
    [{}, 'POST'],
    [{ 'sec-fetch-site': 'none' }, 'POST'],
    [{ 'sec-fetch-site': 'same-site' }, 'GET'],
    [{ 'sec-fetch-site': 'cross-site', origin: own }, 'POST'],
    [{ origin: 'https://weir.example:8443' }, 'POST'],
    [{ origin: 'https://evil.example' }, 'GET'],
    [{ origin: 'null' }, 'POST'],
  ] as const)
    assert.deepEqual(given(headers, method), [], `${method} ${JSON.stringify(headers)}`);
});

test('an Authorization header replaces the cookie, and each scheme has a different cookie', () => {
  const both = requestWith({ cookie, authorization: 'ApiKey key' });
  assert.deepEqual(credentialsOf(deps, both), ['ApiKey key']);
  const plain = { cookie: `${cookie}; weir-session=other` };
  assert.deepEqual(credentialsOf(deps, requestWith(plain, 'GET', 'http')), ['Bearer other']);
  // A proxy ends HTTPS.
  const behindProxy = { publicUrl: () => 'https://weir.example' };
  assert.deepEqual(credentialsOf(behindProxy, requestWith(plain, 'GET', 'http')), ['Bearer token']);
});

test('the cookie of a session that has ended is deleted, if the request has it', () => {
  const ended = endOfCookie(deps, requestWith({ cookie }));
  assert.match(ended['set-cookie']!, /^__Host-weir-session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0; Secure$/);
  assert.deepEqual(endOfCookie(deps, requestWith({})), {});
  assert.deepEqual(endOfCookie(deps, requestWith({ cookie, authorization: 'Bearer x' })), {});
});

test('the tokens of a new session are in the body, or in a cookie that the request wants', () => {
  const tokens = {
    accessToken: 'access',
    refreshToken: 'refresh',
    expiresInSeconds: 60,
    sessionKind: { kind: 'page', isPersistent: false },
  } as const;
  const limits = { sessionIdleMinutes: 30 };
  assert.equal(wantedCookie(deps, requestWith({ 'session-in': 'cookie' })), 'secure');
  assert.equal(wantedCookie(deps, requestWith({})), undefined);
  const body = JSON.stringify(answerSession(limits, undefined, tokens, userNamed('home')));
  assert.ok(body.includes('"access"') && body.includes('"refresh"'));
  const raw = answerSession(limits, 'plain', tokens, userNamed('home')) as { headers: Headers; content: Buffer };
  assert.equal(raw.headers['set-cookie'], 'weir-session=access; Path=/; HttpOnly; SameSite=Strict; Max-Age=60');
  assert.ok(!/access"|refresh/.test(String(raw.content)));
  assert.equal(idleMinutesOf(limits, { kind: 'page', isPersistent: true }), 0);
  assert.equal(idleMinutesOf(limits, tokens.sessionKind), 30);
});

test('the origin of a page is the one that the browser states, if its host is that of the request', () => {
  assert.equal(pageOriginOf(requestWith({ origin: 'https://WEIR.example' }, 'POST', 'http')), own);
  assert.equal(pageOriginOf(requestWith({ origin: 'https://evil.example' }, 'POST', 'http')), 'http://weir.example');
  assert.equal(pageOriginOf(requestWith({})), own);
});

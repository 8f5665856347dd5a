import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { authenticate } from './authenticate.ts';
import { authorizationOperations } from './authorizations.ts';
import { tokenOperations } from './tokens.ts';

const redirectUri = 'https://router.example/back';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

async function openTokens(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...tokenOperations, ...authorizationOperations]);
  const home = await api.account('home');
  const ask = (body: object) => api.callPublic('accessToken', { body });
  const isAccepted = async (token: string): Promise<boolean> => (await authenticate(api.deps, [`Bearer ${token}`])).ok;
  const signIn = async () => {
    const result = await ask({ username: home.email, password: PASSWORD });
    assert.ok(result.ok);
    return result.value;
  };
  const code = async (): Promise<string> => {
    const body = { client_id: 'router', redirect_uri: redirectUri, response_type: 'code', code_challenge: challenge };
    const { reply } = await api.done('createAuthorization', home, { body });
    return new URL(reply.location).searchParams.get('code')!;
  };
  const exchange = (given: object) =>
    ask({ client_id: 'router', redirect_uri: redirectUri, code_verifier: verifier, ...given });
  return { ...api, home, ask, isAccepted, signIn, code, exchange };
}

test('the grant type follows from the other members; missing ones are named', async (t) => {
  const { ask, isAccepted, signIn } = await openTokens(t);
  const { access_token, refresh_token } = await signIn();
  assert.ok(await isAccepted(access_token));
  const refreshed = await ask({ refresh_token });
  assert.ok(refreshed.ok && (await isAccepted(refreshed.value.access_token)));
  for (const [body, fields] of [
    [{}, ['username', 'password']],
    [{ username: 'anna' }, ['password']],
    [{ grant_type: 'refresh_token' }, ['refresh_token']],
    [{ code: 'code' }, ['client_id', 'redirect_uri', 'code_verifier']],
    [{ grant_type: 'client_credentials' }, ['grant_type']],
  ] as const) {
    const result = await ask(body);
    assert.ok(!result.ok && result.error.kind === 'invalid');
    assert.deepEqual(
      result.error.errors.map(({ field }) => field),
      fields,
    );
  }
});

test('a code gives an access token to the client, redirect URI and verifier that it was issued for', async (t) => {
  const { code, exchange, isAccepted } = await openTokens(t);
  const granted = await exchange({ code: await code() });
  assert.ok(granted.ok && (await isAccepted(granted.value.access_token)));
  for (const wrong of [
    { client_id: 'other' },
    { redirect_uri: `${redirectUri}/` },
    { code_verifier: 'w'.repeat(43) },
    { code_verifier: verifier.slice(1) },
    { code: 'unknown' },
  ]) {
    const result = await exchange({ code: await code(), ...wrong });
    assert.deepEqual(result, { ok: false, error: { kind: 'unauthorized', why: 'wrong code' } }, JSON.stringify(wrong));
  }
});

test('a code that is used again is refused, and the token of its first use ends', async (t) => {
  const { code, exchange, isAccepted, store, home } = await openTokens(t);
  const used = await code();
  const granted = await exchange({ code: used });
  assert.ok(granted.ok);
  assert.equal((await exchange({ code: used })).ok, false);
  assert.equal(await isAccepted(granted.value.access_token), false);
  const [entry] = await store.read.audit.list(home.account, { limit: 1, before: undefined });
  assert.equal(entry!.action, 'session.reused');
});

test('a revoked refresh token ends its session; an unknown one has the same answer', async (t) => {
  const { ask, callPublic, signIn, isAccepted } = await openTokens(t);
  const revoked = { ok: true, value: undefined };
  for (const where of ['query', 'body'] as const) {
    const { access_token, refresh_token } = await signIn();
    const revoke = (token: string) => callPublic('revokeToken', { body: {}, [where]: { refresh_token: token } });
    assert.deepEqual(await revoke(`${refresh_token}x`), revoked);
    assert.deepEqual(await revoke(access_token), revoked);
    assert.ok(await isAccepted(access_token));
    assert.deepEqual(await revoke(refresh_token), revoked);
    assert.equal(await isAccepted(access_token), false);
    assert.equal((await ask({ refresh_token })).ok, false);
  }
  assert.equal((await callPublic('revokeToken', { body: {} })).ok, false);
});

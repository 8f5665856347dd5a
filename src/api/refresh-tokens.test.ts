import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { authenticate } from './authenticate.ts';
import { byRefreshToken } from './refresh-tokens.ts';
import { openSession } from './sign-in.ts';

const from = '192.0.2.1';

async function openWithSession(t: { after(end: () => unknown): void }, rotates = false) {
  const api = await openApi(t, []);
  const home = await api.account('home');
  const { refreshToken } = await api.store.inTransaction((transaction) =>
    openSession(
      transaction,
      api.deps,
      { account: home.account, id: home.user },
      { sessionKind: { kind: 'own program' }, rotates, from, userAgent: undefined },
    ),
  );
  const refresh = async (secret: string, asksToRotate = false) => {
    const result = await byRefreshToken(api.deps, { secret, from, rotates: asksToRotate });
    return result.ok ? { ...result.value, refresh_token: result.value.refresh_token! } : undefined;
  };
  return { ...api, home, refreshToken, refresh };
}

test('a refresh token gives access tokens and stays the same, unless the client asks for rotation', async (t) => {
  const { deps, refreshToken, refresh } = await openWithSession(t);
  for (const _ of [1, 2]) {
    const tokens = (await refresh(refreshToken))!;
    assert.equal(tokens.refresh_token, refreshToken);
    assert.ok((await authenticate(deps, [`Bearer ${tokens.access_token}`])).ok);
  }
  const rotated = (await refresh(refreshToken, true))!.refresh_token;
  assert.notEqual(rotated, refreshToken);
  assert.notEqual((await refresh(rotated))!.refresh_token, rotated);
});

test('a repeated request gets the same token; a token that was used after its replacement ends the session', async (t) => {
  const { home, store, refreshToken, refresh } = await openWithSession(t, true);
  const next = (await refresh(refreshToken))!.refresh_token;
  assert.equal((await refresh(refreshToken))!.refresh_token, next);
  assert.ok(await refresh(next));
  assert.equal(await refresh(refreshToken), undefined);
  assert.equal(await refresh(next), undefined);
  assert.deepEqual(await store.read.tokens.sessions(home.account, home.user), []);
  const [entry] = await store.read.audit.list(home.account, { limit: 1 });
  assert.equal(entry!.action, 'session.reused');
});

test('unknown tokens, those of a suspended account and long unused ones are refused', async (t) => {
  const { home, store, clock, refreshToken, refresh } = await openWithSession(t);
  assert.equal(await refresh('nothing'), undefined);
  assert.equal(await refresh(`${refreshToken}x`), undefined);
  const account = (await store.read.accounts.find(home.account))!;
  const suspend = (isSuspended: boolean) =>
    store.inTransaction(({ accounts }) => accounts.update({ ...account, isSuspended }));
  await suspend(true);
  assert.equal(await refresh(refreshToken), undefined);
  await suspend(false);
  assert.ok(await refresh(refreshToken));
  const DAY_MS = 86_400_000;
  clock.now += 89 * DAY_MS;
  assert.ok(await refresh(refreshToken));
  clock.now += 90 * DAY_MS;
  assert.equal(await refresh(refreshToken), undefined);
});

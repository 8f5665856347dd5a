import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { keyOf } from '../../test/support/store/accounts.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { openSession } from './sign-in.ts';
import { isStillAllowed } from './still-allowed.ts';

test('credentials are valid until they are removed, the role changes or the account is suspended', async (t) => {
  const { account, deps, store } = await openApi(t, []);
  const home = await account('home');
  const key = keyOf('home');
  await store.inTransaction(({ keys }) => keys.add(key));
  const byKey: Caller = { ...home, with: { key: key.id } };
  const origin = { sessionKind: { kind: 'own program' }, from: '192.0.2.1', userAgent: undefined } as const;
  const { accessToken } = await store.inTransaction((transaction) =>
    openSession(transaction, deps, { account: home.account, id: home.user }, origin),
  );
  const authenticated = await authenticate(deps, [`Bearer ${accessToken}`]);
  assert.ok(authenticated.ok);
  const bySession = authenticated.value;
  const allowed = async () => [await isStillAllowed(deps, byKey), await isStillAllowed(deps, bySession)];
  assert.deepEqual(await allowed(), [true, true]);
  assert.equal(await isStillAllowed(deps, { ...byKey, role: 'viewer' }), false);
  const stored = (await store.read.accounts.find(home.account))!;
  await store.inTransaction(({ accounts }) => accounts.update({ ...stored, isSuspended: true }));
  assert.deepEqual(await allowed(), [false, false]);
  await store.inTransaction(({ accounts }) => accounts.update(stored));
  await store.inTransaction(({ keys }) => keys.remove(home.account, key.id));
  assert.deepEqual(await allowed(), [false, true]);
  await store.inTransaction(({ tokens }) => tokens.removeSession(home.account, bySession.session!));
  assert.deepEqual(await allowed(), [false, false]);
});

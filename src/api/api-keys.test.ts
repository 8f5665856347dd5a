import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { keyOf, userId, userNamed } from '../../test/support/store/accounts.ts';
import type { KeyId } from '../domain/ids.ts';
import { apiKeyOperations } from './api-keys.ts';
import { authenticate } from './authenticate.ts';

const named = (name: string) => ({ body: { name } });

test('a new key authenticates, and its secret is neither listed nor audited', async (t) => {
  const { account, done, deps } = await openApi(t, apiKeyOperations);
  const home = await account('home');
  const { reply, audit } = await done('createApiKey', home, named('script'));
  assert.ok((await authenticate(deps, [`ApiKey ${reply.api_key}`])).ok);
  const { reply: listed } = await done('listApiKeys', home);
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    [reply.id],
  );
  assert.ok(!JSON.stringify([listed, audit]).includes(reply.api_key));
  await done('removeApiKey', home, { params: { api_key_id: reply.id } });
  assert.equal((await authenticate(deps, [`ApiKey ${reply.api_key}`])).ok, false);
});

test('members see and revoke their own keys, owners and admins all keys of the account', async (t) => {
  const { account, call, done, store } = await openApi(t, apiKeyOperations);
  const [home, other] = [await account('home'), await account('other')];
  await store.inTransaction(async ({ users }) => {
    await users.add(userNamed('guest', { account: home.account, role: 'viewer' }));
  });
  const guest = { ...home, user: userId('guest'), role: 'viewer' as const };
  const { reply } = await done('createApiKey', home, named('of the owner'));
  const { reply: own } = await done('createApiKey', guest, named('of the guest'));
  const seen = async (caller: typeof guest) => (await done('listApiKeys', caller)).reply.length;
  assert.deepEqual([await seen(home as never), await seen(guest), await seen(other as never)], [2, 1, 0]);
  const notFound = { ok: false, error: { kind: 'not found', what: 'API key' } };
  const params = { api_key_id: reply.id };
  assert.deepEqual(await call('removeApiKey', guest, { params }), notFound);
  assert.deepEqual(await call('removeApiKey', other, { params }), notFound);
  await done('removeApiKey', home, { params: { api_key_id: own.id } });
});

test('an account has at most 32 keys, and a key needs a name', async (t) => {
  const { account, call, store } = await openApi(t, apiKeyOperations);
  const home = await account('home');
  await store.inTransaction(async ({ keys }) => {
    for (let number = 0; number < 32; number += 1)
      await keys.add(keyOf('home', { id: `key-${number}` as KeyId, hash: `hash ${number}` }));
  });
  for (const name of ['one more', ' ']) assert.equal((await call('createApiKey', home, named(name))).ok, false);
  const other = await account('other');
  assert.equal((await call('createApiKey', other, named('x'))).ok, true);
});

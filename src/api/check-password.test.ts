import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { checkPassword, provePassword } from './check-password.ts';

const from = '192.0.2.1';
const given = { email: 'home@example.org', password: PASSWORD, from };

async function failed({ deps }: Api, different: Partial<typeof given>): Promise<string> {
  const result = await checkPassword(deps, { ...given, ...different });
  return result.ok ? 'ok' : result.error.kind;
}

test('the right password returns its user; the case of the address does not matter', async (t) => {
  const { deps, account } = await openApi(t, []);
  const { user } = await account('home');
  const result = await checkPassword(deps, { ...given, email: 'Home@Example.org' });
  assert.ok(result.ok);
  assert.deepEqual([result.value.user.id, result.value.newerHash], [user, undefined]);
});

test('a wrong password, an unknown user and an invalid address have the same error', async (t) => {
  const { deps, account } = await openApi(t, []);
  await account('home');
  const results = [{ password: 'wrong' }, { email: 'unknown@example.org' }, { email: 'nothing' }].map((different) =>
    checkPassword(deps, { ...given, ...different }),
  );
  for (const result of await Promise.all(results))
    assert.deepEqual(result, { ok: false, error: { kind: 'unauthorized', why: 'wrong sign-in' } });
});

test('wrong passwords are slowed down, also for the right one, from this address only, and audited', async (t) => {
  const api = await openApi(t, []);
  const { account } = await api.account('home');
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 20 && kinds.at(-1) !== 'slow down'; attempt += 1)
    kinds.push(await failed(api, { password: 'wrong' }));
  assert.ok(kinds.length > 2 && kinds.at(-1) === 'slow down', kinds.join());
  assert.equal(await failed(api, {}), 'slow down');
  assert.equal(await failed(api, { from: '198.51.100.9' }), 'ok');
  const entries = await api.store.read.audit.list(account, { before: undefined, limit: 50 });
  assert.equal(entries.filter(({ action }) => action === 'session.refused').length, kinds.length - 1);
  api.clock.now += 86_400_000;
  assert.equal(await failed(api, {}), 'ok');
});

test('an attempt counts until it is refunded', async (t) => {
  const api = await openApi(t, []);
  await api.account('home');
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const result = await checkPassword(api.deps, given);
    assert.ok(result.ok, `attempt ${attempt}`);
    await api.store.inTransaction(result.value.refund);
  }
});

test('while too many passwords are checked, nothing is written', async (t) => {
  const { deps, account, store } = await openApi(t, []);
  const { account: id } = await account('home');
  const busy = { ...deps, passwords: { ...deps.passwords, hasRoom: () => false } };
  const result = await checkPassword(busy, { ...given, password: 'wrong' });
  assert.ok(!result.ok && result.error.kind === 'slow down');
  assert.deepEqual(await store.read.audit.list(id, { before: undefined, limit: 5 }), []);
});

test('a password that could not be checked does not count', async (t) => {
  const api = await openApi(t, []);
  await api.account('home');
  const broken = {
    ...api.deps,
    passwords: { ...api.deps.passwords, verify: () => Promise.reject(new Error('thread')) },
  };
  for (let attempt = 0; attempt < 20; attempt += 1) await assert.rejects(checkPassword(broken, given), /thread/);
  assert.equal(await failed(api, {}), 'ok');
});

test('an outdated hash is replaced, and a signed-in user gets an error of the field', async (t) => {
  const { deps, account } = await openApi(t, []);
  await account('home');
  const outdated = {
    ...deps,
    passwords: { ...deps.passwords, verify: async () => 'right, but weakly hashed' as const, hash: async () => 'new' },
  };
  const result = await checkPassword(outdated, given);
  assert.equal(result.ok && result.value.newerHash, 'new');
  const proved = await provePassword(deps, { ...given, password: 'wrong' }, 'current_password');
  assert.ok(!proved.ok && proved.error.kind === 'invalid');
  assert.equal(proved.error.errors[0]!.field, 'current_password');
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openApi } from '../../test/support/api.ts';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import type { KeyId } from '../domain/ids.ts';
import { createApiKey } from '../operations/create-api-key.ts';
import { openStore } from '../store/store.ts';
import type { Deps } from './deps.ts';
import { requestCache } from './request-cache.ts';

const folderOf = async (t: TestContext): Promise<string> => join(await temporaryFolder(t), 'settings');

async function withKey(t: TestContext, given: Partial<Deps> = {}) {
  const api = await openApi(t, [], given);
  const { deps, store } = api;
  const home = await api.account('home');
  const made = await store.inTransaction((tx) =>
    createApiKey(tx, deps, { account: home.account, id: home.user }, 'Test'),
  );
  assert.ok(made.ok);
  const { key, secret } = made.value;
  const cache = requestCache(deps);
  return { ...api, home, key, cache, credentials: [`ApiKey ${secret}`] };
}

test('the second request with a key does not read the store, and is recorded as its use', async (t) => {
  const { cache, credentials, deps, store, clock, key, home } = await withKey(t);
  const first = cache.open(credentials);
  assert.equal(first.caller(), undefined);
  assert.ok((await first.authenticate()).ok);
  clock.now += 60_000;
  const caller = cache.open(credentials).caller();
  assert.ok(caller?.ok);
  assert.equal(caller.value.account, home.account);
  await store.flush();
  const [stored] = await deps.store.read.keys.list(home.account);
  assert.deepEqual([stored!.id, stored!.lastUsedAt], [key.id, clock.now]);
});

test('nothing is used after a commit: a removed key is refused by the next request', async (t) => {
  const { cache, credentials, store, key, home } = await withKey(t);
  const before = cache.open(credentials);
  await before.authenticate();
  before.storeReply('/devices', ['old'], {});
  assert.equal(cache.open(credentials).reply('/devices')?.content, '["old"]');
  await store.inTransaction((tx) => tx.keys.remove(home.account, key.id as KeyId));
  const after = cache.open(credentials);
  assert.equal(after.caller(), undefined);
  assert.equal(after.reply('/devices'), undefined);
  assert.equal((await after.authenticate()).ok, false);
});

test('a commit between the start of a request and its reply makes the reply unusable', async (t) => {
  const { cache, credentials, store, account } = await withKey(t);
  const slow = cache.open(credentials);
  await slow.authenticate();
  await account('other');
  slow.storeReply('/devices', ['old'], {});
  assert.equal(cache.open(credentials).reply('/devices'), undefined);
  assert.equal(cache.open(credentials).caller(), undefined);
  assert.ok(store.version() !== undefined);
});

test('a commit of another process changes the version', async (t) => {
  const folder = await folderOf(t);
  const server = await openStore({ folder });
  const command = await openStore({ folder, besideServer: true });
  t.after(async () => {
    await command.close();
    await server.close();
  });
  const before = server.version();
  assert.equal(server.version(), before);
  await command.inTransaction((tx) => tx.throttles.put('a', { failures: 1, lastFailureAt: 1 }));
  while (server.version() === before) await setTimeout(1);
});

test('other credentials and other host names get a new reply', async (t) => {
  let hosts = { deviceDomain: 'one.example' };
  const dns = {
    get hosts() {
      return hosts;
    },
    deviceNetwork: undefined,
    dedicatedPool: [],
  } as unknown as Deps['dns'];
  const { cache, credentials } = await withKey(t, { dns });
  const request = cache.open(credentials);
  await request.authenticate();
  request.storeReply('/devices', ['one'], { etag: '"1"' });
  assert.equal(cache.open(credentials).reply('/devices')?.headers['etag'], '"1"');
  assert.equal(cache.open(['ApiKey other']).reply('/devices'), undefined);
  assert.equal(cache.open([...credentials, ...credentials]).caller(), undefined);
  hosts = { deviceDomain: 'two.example' };
  assert.equal(cache.open(credentials).reply('/devices'), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { customListOperations } from './custom-lists.ts';
import type { Deps } from './deps.ts';
import { serverCustomListOperations } from './server-custom-lists.ts';

const operations = [...customListOperations, ...serverCustomListOperations];
const secretUrl = 'https://user:password@lists.example/list.txt?token=secret';

test('viewers do not see passwords and queries of a source', async (t) => {
  const { account, done } = await openApi(t, operations);
  const home = await account('home');
  const { reply } = await done('createCustomList', home, { body: { name: 'Mine', url: secretUrl } });
  const shown = async (role: 'owner' | 'viewer') => {
    const params = { custom_list_id: reply.id };
    const one = await done('getCustomList', { ...home, role }, { params });
    return JSON.stringify([one.reply, (await done('listCustomLists', { ...home, role })).reply]);
  };
  assert.ok((await shown('owner')).includes('token=secret'));
  assert.ok(!/password|secret/.test(await shown('viewer')));
});

test('a deleted list is removed from all DNS servers that use it, and the others stay', async (t) => {
  const { account, call, done } = await openApi(t, operations);
  const home = await account('home');
  const ids: string[] = [];
  for (const name of ['A', 'B'])
    ids.push((await done('createCustomList', home, { body: { name, rules: '||example.org^' } })).reply.id);
  const params = { dns_server_id: home.server };
  const body = { custom_lists: ids.map((id) => ({ id, enabled: true })) };
  await done('updateDNSServerCustomLists', home, { params, body });
  await done('removeCustomList', home, { params: { custom_list_id: ids[0] } });
  const { reply } = await done('getDNSServerCustomLists', home, { params });
  assert.deepEqual(reply.custom_lists, [{ id: ids[1], enabled: true }]);
  assert.equal((await call('updateDNSServerCustomLists', home, { params, body })).ok, false);
});

test('the limit of lists is enforced per account', async (t) => {
  const { account, call } = await openApi(t, operations);
  const [home, other] = [await account('home'), await account('other')];
  const create = (caller: typeof home) =>
    call('createCustomList', caller, { body: { name: 'L', rules: '||a.example^' } });
  for (let number = 0; number < 3; number += 1) assert.ok((await create(home)).ok);
  const result = await create(home);
  assert.deepEqual(!result.ok && result.error.kind, 'limit reached');
  assert.ok((await create(other)).ok);
});

test('lists of another account are not found by any operation', async (t) => {
  const touched: string[] = [];
  const touch = async (id: string): Promise<void> => void touched.push(id);
  const { account, call, done } = await openApi(t, operations, { refreshList: touch, acceptList: touch });
  const [home, other] = [await account('home'), await account('other')];
  const { reply } = await done('createCustomList', home, { body: { name: 'Mine', rules: '||a.example^' } });
  const params = { custom_list_id: reply.id };
  for (const operation of [
    'getCustomList',
    'updateCustomList',
    'removeCustomList',
    'refreshCustomList',
    'acceptCustomList',
  ]) {
    const result = await call(operation, other, { params, body: { name: 'Yours' } });
    assert.deepEqual(result, { ok: false, error: { kind: 'not found', what: 'custom list' } }, operation);
  }
  const use = { params: { dns_server_id: other.server }, body: { custom_lists: [{ id: reply.id, enabled: true }] } };
  assert.equal((await call('updateDNSServerCustomLists', other, use)).ok, false);
  assert.deepEqual(touched, []);
});

test('a list that was checked in the last 30 seconds is not downloaded again', async (t) => {
  const refreshed: string[] = [];
  const health: { id: string; checkedAt: number }[] = [];
  const { account, clock, done } = await openApi(t, operations, {
    refreshList: async (id) => void refreshed.push(id),
    listHealth: (() => health) as unknown as Deps['listHealth'],
  });
  const home = await account('home');
  const { reply } = await done('createCustomList', home, { body: { name: 'Mine', url: 'https://lists.example/a' } });
  const refresh = () => done('refreshCustomList', home, { params: { custom_list_id: reply.id } });
  await refresh();
  health.push({ id: reply.id, checkedAt: clock.now });
  clock.now += 29_999;
  await refresh();
  assert.equal(refreshed.length, 1);
  clock.now += 1;
  await refresh();
  assert.equal(refreshed.length, 2);
});

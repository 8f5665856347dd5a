import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { customListOperations } from './custom-lists.ts';
import { serverCustomListOperations } from './server-custom-lists.ts';

async function openLists(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...serverCustomListOperations, ...customListOperations]);
  const [home, other] = [await api.account('home'), await api.account('other')];
  const list = async (owner: typeof home): Promise<string> =>
    (await api.done('createCustomList', owner, { body: { name: 'Mine', rules: '||a.example^' } })).reply.id;
  const params = { dns_server_id: home.server };
  const choose = (caller: typeof home, ...custom_lists: object[]) =>
    api.call('updateDNSServerCustomLists', caller, { params, body: { custom_lists } });
  const chosen = async () => (await api.done('getDNSServerCustomLists', home, { params })).reply;
  return { ...api, home, other, list, params, choose, chosen };
}

test('the given lists replace the current ones; a list is enabled unless the request disables it', async (t) => {
  const { home, list, params, choose, chosen } = await openLists(t);
  const [first, second] = [await list(home), await list(home)];
  assert.deepEqual(await chosen(), { custom_lists: [] });
  const updated = await choose(home, { id: second }, { id: first, enabled: false });
  assert.ok(updated.ok);
  const expected = {
    custom_lists: [
      { id: second, enabled: true },
      { id: first, enabled: false },
    ],
  };
  assert.deepEqual(updated.value.reply, expected);
  assert.deepEqual(
    [updated.value.audit?.action, updated.value.audit?.subject],
    ['dns_server.custom_lists', params.dns_server_id],
  );
  assert.deepEqual(await chosen(), expected);
  assert.ok((await choose(home)).ok);
  assert.deepEqual(await chosen(), { custom_lists: [] });
});

test('unknown lists, and those of another account, are errors with their position', async (t) => {
  const { home, other, list, choose, chosen } = await openLists(t);
  const result = await choose(home, { id: await list(home) }, { id: await list(other) }, { id: 'missing' });
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    ['custom_lists[1].id', 'custom_lists[2].id'],
  );
  assert.deepEqual(await chosen(), { custom_lists: [] });
});

test('a DNS server of another account is not found', async (t) => {
  const { call, other, params, choose } = await openLists(t);
  const notFound = { ok: false, error: { kind: 'not found', what: 'DNS server' } };
  assert.deepEqual(await call('getDNSServerCustomLists', other, { params }), notFound);
  assert.deepEqual(await choose(other), notFound);
});

test('both operations have the ETag of the DNS server', async (t) => {
  const { home, params, store } = await openLists(t);
  const [profile] = await store.read.profiles.list(home.account);
  for (const { handler, operationId } of serverCustomListOperations) {
    const state = handler.kind !== 'public' && handler.stateOf?.(store.read, { caller: home, params } as never);
    assert.deepEqual(await state, [profile!.name, profile!.settings], operationId);
  }
});

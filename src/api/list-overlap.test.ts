import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { listOverlapOperations } from './list-overlap.ts';

async function openOverlap(t: { after(end: () => unknown): void }) {
  const compared: (readonly string[])[] = [];
  const api = await openApi(t, listOverlapOperations, {
    listOverlap: async (ids) => {
      compared.push(ids);
      return [{ id: 'b', domains: 10, unique: 4 }];
    },
  });
  const home = await api.account('home');
  const [profile] = await api.store.read.profiles.list(home.account);
  const { settings } = profile!;
  const lists = [
    { id: 'a', enabled: false },
    { id: 'b', enabled: true },
  ];
  const customLists = [
    { id: 'c', enabled: true },
    { id: 'd', enabled: false },
  ];
  const changed = {
    ...settings,
    filterLists: { ...settings.filterLists, lists },
    own: { ...settings.own, customLists },
  };
  await api.store.inTransaction(({ profiles }) => profiles.update({ ...profile!, settings: changed }));
  return { ...api, home, compared, params: { dns_server_id: home.server } };
}

test('the enabled lists of a DNS server are compared, those of the catalogue and custom lists together', async (t) => {
  const { done, home, compared, params } = await openOverlap(t);
  const { reply } = await done('getDNSServerListOverlap', home, { params });
  assert.deepEqual(compared, [['b', 'c']]);
  assert.deepEqual(reply, [{ id: 'b', domains_count: 10, unique_count: 4 }]);
});

test('a DNS server of another account is not found, and nothing is compared', async (t) => {
  const { account, call, compared, params } = await openOverlap(t);
  const result = await call('getDNSServerListOverlap', await account('other'), { params });
  assert.deepEqual(result, { ok: false, error: { kind: 'not found', what: 'DNS server' } });
  assert.deepEqual(compared, []);
});

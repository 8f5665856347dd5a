import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { customListOperations } from './custom-lists.ts';
import { listChangeOperations } from './list-changes.ts';
import { listOverlapOperations } from './list-overlap.ts';

const updated = (id: string) => ({
  id,
  isLoaded: true,
  isBuiltIn: false,
  rules: 3,
  ignored: 0,
  invalid: 0,
  changes: { added: 2, removed: 1 },
  fetchedAt: 5,
  checkedAt: 5,
  problem: undefined,
  isHeldBack: false,
});

test('changes of a list are those of the catalogue, or of a custom list of the account', async (t) => {
  const known = new Set(['adguard_dns_filter', 'a safety list']);
  const listHealth = () => Array.from(known, updated);
  const changedRules = async () => ({ added: ['||a.example^'], removed: ['||b.example^'] });
  const operations = [...listChangeOperations, ...customListOperations];
  const { account, done, call } = await openApi(t, operations, { listHealth, changedRules });
  const [home, other] = [await account('home'), await account('other')];
  const changes = {
    time_updated: new Date(5).toISOString(),
    added_count: 2,
    removed_count: 1,
    added: ['||a.example^'],
    removed: ['||b.example^'],
  };
  const ofCatalogue = (filter_id: string) => call('getFilterListChanges', home, { params: { filter_id } });
  assert.deepEqual(await ofCatalogue('adguard_dns_filter'), { ok: true, value: { reply: changes, audit: undefined } });
  assert.equal((await ofCatalogue('a safety list')).ok, false);
  const { reply: list } = await done('createCustomList', home, { body: { name: 'Mine', rules: '||a.example^' } });
  const ofCustom = (caller: typeof home) =>
    call('getCustomListChanges', caller, { params: { custom_list_id: list.id } });
  assert.equal((await ofCustom(home)).ok, false, 'never updated');
  known.add(list.id);
  assert.deepEqual(await ofCustom(home), { ok: true, value: { reply: changes, audit: undefined } });
  assert.equal((await ofCustom(other)).ok, false);
});

test('the overlap is that of the enabled lists of the DNS server', async (t) => {
  const listOverlap = async (ids: readonly string[]) => ids.map((id) => ({ id, domains: 10, unique: 4 }));
  const { account, done } = await openApi(t, listOverlapOperations, { listOverlap });
  const home = await account('home');
  const { reply } = await done('getDNSServerListOverlap', home, { params: { dns_server_id: home.server } });
  assert.deepEqual(reply, [{ id: 'adguard_dns_filter', domains_count: 10, unique_count: 4 }]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { ruleProblemOperations } from './rule-problems.ts';

async function openProblems(t: { after(end: () => unknown): void }, rules: readonly string[]) {
  const api = await openApi(t, ruleProblemOperations);
  const home = await api.account('home');
  const [profile] = await api.store.read.profiles.list(home.account);
  const settings = { ...profile!.settings, userRules: { ...profile!.settings.userRules, rules } };
  await api.store.inTransaction(({ profiles }) => profiles.update({ ...profile!, settings }));
  return { ...api, home, params: { dns_server_id: home.server } };
}

test('of more than a thousand problems the first thousand are listed, and all are counted', async (t) => {
  const rules = Array.from({ length: 1001 }, (_, index) => `a${index}.example##.ad`);
  const { done, home, params } = await openProblems(t, ['||a.example^', ...rules]);
  const { total, items } = (await done('listRuleProblems', home, { params })).reply;
  assert.deepEqual([total, items.length, items[0].rule, items[999].index], [1001, 1000, 'a0.example##.ad', 1000]);
});

test('a DNS server without such rules has none, and one of another account is not found', async (t) => {
  const { account, call, done, home, params } = await openProblems(t, ['||a.example^']);
  assert.deepEqual((await done('listRuleProblems', home, { params })).reply, { total: 0, items: [] });
  const result = await call('listRuleProblems', await account('other'), { params });
  assert.deepEqual(result, { ok: false, error: { kind: 'not found', what: 'DNS server' } });
});

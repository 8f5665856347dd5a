import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { Deps } from './deps.ts';
import { skippedRulesOperations } from './skipped-rules.ts';

async function openSkipped(t: { after(end: () => unknown): void }, skippedRules: Deps['skippedRules']) {
  const api = await openApi(t, skippedRulesOperations, { skippedRules });
  const home = await api.account('home');
  return { ...api, home, params: { dns_server_id: home.server } };
}

test('a DNS server without skipped rules has zeros and no time', async (t) => {
  const { done, home, params } = await openSkipped(t, () => undefined);
  assert.deepEqual((await done('getSkippedRules', home, { params })).reply, { decisions: 0, rules: 0 });
});

test('the counts and the last time are those of the DNS server', async (t) => {
  const counts = { decisions: 2, rules: 5, lastAt: 0 };
  const { done, home, params } = await openSkipped(t, (id) => (id === '00000001' ? counts : undefined));
  assert.deepEqual((await done('getSkippedRules', home, { params })).reply, {
    decisions: 2,
    rules: 5,
    time_last: '1970-01-01T00:00:00.000Z',
  });
});

test('a DNS server of another account is not found', async (t) => {
  const { account, call, params } = await openSkipped(t, () => undefined);
  const result = await call('getSkippedRules', await account('other'), { params });
  assert.deepEqual(result, { ok: false, error: { kind: 'not found', what: 'DNS server' } });
});

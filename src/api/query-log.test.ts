import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { HOUR_MS } from '../kit/durations.ts';
import { queryLogOperations } from './query-log.ts';

async function withRows(t: Parameters<typeof openApi>[0], count: number) {
  const api = await openApi(t, queryLogOperations);
  const [home, other] = [await api.account('home'), await api.account('other')];
  const to = api.clock.now;
  const rowsOf = (account: string) =>
    Array.from({ length: count }, (_, at) => aRecord({ account, time: to - at * 1000, domain: `${at}.example` }));
  await api.log.append([
    ...rowsOf(home.account),
    aRecord({ account: other.account, time: to, domain: 'other.example' }),
  ]);
  const range = { time_from_millis: to - HOUR_MS, time_to_millis: to };
  const domains = async (caller: typeof home, query: object = {}): Promise<string[]> =>
    (await api.done('getQueryLog', caller, { query: { ...range, ...query } })).reply.items.map(
      ({ domain }: { domain: string }) => domain,
    );
  return { ...api, home, other, range, domains };
}

test('a page has 20 rows of the account, the newest first, and its cursor leads to the next page', async (t) => {
  const { done, home, other, range, domains } = await withRows(t, 30);
  const { reply } = await done('getQueryLog', home, { query: range });
  const names = Array.from({ length: 30 }, (_, at) => `${at}.example`);
  assert.deepEqual(await domains(home), names.slice(0, 20));
  assert.deepEqual(await domains(home, { cursor: reply.pages.at(-1).page_cursor, limit: 20 }), names.slice(20));
  assert.deepEqual(await domains(other), ['other.example']);
});

test('a range that ends before it begins, a foreign cursor and a limit above 1000 are rejected by field', async (t) => {
  const { call, home, range } = await withRows(t, 1);
  for (const [query, field] of [
    [{ ...range, time_to_millis: range.time_from_millis - 1 }, 'time_to_millis'],
    [{ ...range, cursor: 'x' }, 'cursor'],
    [{ ...range, limit: 1001 }, 'limit'],
    [{ time_to_millis: range.time_to_millis }, 'time_from_millis'],
  ] as const) {
    const result = await call('getQueryLog', home, { query });
    assert.ok(!result.ok && result.error.kind === 'invalid', field);
    assert.deepEqual(
      result.error.errors.map((error) => error.field),
      [field],
    );
  }
});

test('clearing removes the rows of the account only, and is audited', async (t) => {
  const { done, domains, home, other } = await withRows(t, 3);
  const { audit } = await done('clearQueryLog', home);
  assert.equal(audit?.action, 'query_log.clear');
  assert.deepEqual(await domains(home), []);
  assert.deepEqual(await domains(other), ['other.example']);
});

test('the filter by client address takes any spelling of an address, and rejects other texts by index', async (t) => {
  const { call, home, range, domains, log, clock } = await withRows(t, 1);
  const at = (clientSubnet: string, domain: string) =>
    aRecord({ account: home.account, time: clock.now, clientSubnet, domain });
  await log.append([
    at('192.168.1.7', 'tv.example'),
    at('fd00::7', 'tv6.example'),
    at('203.0.113.0/24', 'far.example'),
  ]);
  assert.deepEqual(await domains(home, { client_addresses: ['192.168.1.7'] }), ['tv.example']);
  assert.deepEqual(await domains(home, { client_addresses: ['FD00:0::7', '203.0.113.0/24'] }), [
    'far.example',
    'tv6.example',
  ]);
  assert.deepEqual(await domains(home, { client_addresses: ['192.168.1.8'] }), []);
  const result = await call('getQueryLog', home, { query: { ...range, client_addresses: ['::1', 'tv'] } });
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.equal(result.error.errors[0]!.field, 'client_addresses[1]');
});

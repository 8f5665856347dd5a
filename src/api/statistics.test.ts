import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { statisticsOperations } from './statistics.ts';

test('every statistic counts the queries of the account only', async (t) => {
  const { account, clock, done, log } = await openApi(t, statisticsOperations);
  const [home, other] = [await account('home'), await account('other')];
  const at = (word: string, different: Partial<Parameters<typeof aRecord>[0]> = {}) =>
    aRecord({ account: word, time: clock.now - 60_000, ...different });
  await log.append([
    at(home.account, { status: 'REQUEST_BLOCKED' }),
    at(home.account),
    ...Array.from({ length: 5 }, () => at(other.account, { domain: 'other.example', device: 'theirs' })),
  ]);
  const query = { time_from_millis: clock.now - 3_600_000, time_to_millis: clock.now };
  for (const { operationId = '' } of statisticsOperations) {
    const { reply } = await done(operationId, home, { query });
    assert.doesNotMatch(JSON.stringify(reply), /other\.example|theirs|"queries":[57]/, operationId);
  }
  const { stats } = (await done('getDevicesQueriesStats', home, { query })).reply;
  const last = { last_activity_time_millis: clock.now - 60_000 };
  assert.deepEqual(stats, [{ device_id: 'phone', ...last, value: { blocked: 1, companies: 1, queries: 2 } }]);
});

test('a range that ends before it begins is rejected by every statistic', async (t) => {
  const { account, call } = await openApi(t, statisticsOperations);
  const home = await account('home');
  for (const { operationId = '' } of statisticsOperations) {
    const result = await call(operationId, home, { query: { time_from_millis: 2, time_to_millis: 1 } });
    assert.ok(!result.ok && result.error.kind === 'invalid', operationId);
    assert.equal(result.error.errors[0]!.field, 'time_to_millis');
  }
});

test('filters of devices and countries apply, countries in any case', async (t) => {
  const { account, clock, done, log } = await openApi(t, statisticsOperations);
  const home = await account('home');
  const common = { account: home.account, time: clock.now - 60_000 };
  await log.append([
    aRecord({ ...common, responseCountry: 'DE', domain: 'german.example' }),
    aRecord({ ...common, responseCountry: 'US', domain: 'american.example', device: 'tv' }),
  ]);
  const query = { time_from_millis: clock.now - 3_600_000, time_to_millis: clock.now };
  const domains = async (filter: object): Promise<string[]> =>
    (await done('getDomainsQueriesStats', home, { query: { ...query, ...filter } })).reply.stats.map(
      ({ domain }: { domain: string }) => domain,
    );
  assert.deepEqual(await domains({ countries: ['de'] }), ['german.example']);
  assert.deepEqual(await domains({ devices: ['tv'] }), ['american.example']);
  assert.deepEqual(await domains({ devices: ['tv'], countries: ['DE'] }), []);
});

test('rows come in pages: limit and cursor, with links to the next and the previous page', async (t) => {
  const { account, call, clock, done, log } = await openApi(t, statisticsOperations);
  const home = await account('home');
  const common = { account: home.account, time: clock.now - 60_000 };
  const rows = ['a', 'b', 'c', 'd', 'e'].flatMap((letter, index) =>
    Array.from({ length: 9 - index }, () =>
      aRecord({ ...common, domain: `${letter}.example`, companyId: letter, device: letter, responseCountry: letter }),
    ),
  );
  await log.append(rows);
  const query = { time_from_millis: clock.now - 3_600_000, time_to_millis: clock.now };
  const keys = {
    getDomainsQueriesStats: 'domain',
    getCompaniesStats: 'company_name',
    getDetailedCompaniesStats: 'company_name',
    getDevicesQueriesStats: 'device_id',
    getCountriesQueriesStats: 'country',
  };
  for (const [id, key] of Object.entries(keys)) {
    const read = async (more: object) => (await done(id, home, { query: { ...query, ...more } })).reply;
    const letters = ({ stats }: { stats: Record<string, string>[] }) => stats.map((row) => row[key]![0]).join('');
    const whole = await read({});
    assert.equal(letters(whole), 'abcde', id);
    assert.deepEqual(whole.navigation, {}, id);
    const first = await read({ limit: 2 });
    assert.equal(letters(first), 'ab', id);
    assert.deepEqual([first.navigation.prev, first.navigation.next.page_number], [undefined, 2], id);
    const second = await read({ cursor: first.navigation.next.page_cursor });
    assert.equal(letters(second), 'cd', id);
    const last = await read({ limit: 2, cursor: second.navigation.next.page_cursor });
    assert.deepEqual([letters(last), last.navigation.next], ['e', undefined], id);
    assert.equal(letters(await read({ cursor: last.navigation.prev.page_cursor })), 'cd', id);
    for (const wrong of [
      { limit: 0 },
      { limit: 1001 },
      { cursor: 'x' },
      { cursor: '1:0:2:5' },
      { cursor: '1:1:1001:5' },
    ]) {
      const result = await call(id, home, { query: { ...query, ...wrong } });
      assert.ok(!result.ok && result.error.kind === 'invalid', `${id} ${JSON.stringify(wrong)}`);
      assert.equal(result.error.errors[0]!.field, Object.keys(wrong)[0]);
    }
  }
});

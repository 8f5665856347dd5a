import assert from 'node:assert/strict';
import { aRecord, NOW, testLogs } from '../../test/support/query-log/logs.ts';
import type { LogQuery } from '../domain/log-query.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const everything: LogQuery = { from: 0, to: NOW + DAY, limit: 1000 };

testLogs(
  'clearing the log removes what was appended before it and its statistics, but not the number of queries',
  async ({ log }) => {
    const appending = log.append([aRecord(), aRecord({ account: 'work' })]);
    const clearing = log.clear('home');
    await Promise.all([appending, clearing]);
    await log.append([aRecord({ domain: 'later.example' })]);
    const { items } = await log.page('home', everything);
    assert.deepEqual(
      items.map(({ domain }) => domain),
      ['later.example'],
    );
    assert.equal((await log.page('work', everything)).items.length, 1);
    assert.equal(await log.requestsSince('home', NOW - DAY), 2);
    const domains = async (account: string) =>
      (await log.statistics.domains(account, { from: NOW - HOUR, to: NOW })).map(({ domain }) => domain);
    assert.deepEqual([await domains('home'), await domains('work')], [['later.example'], ['example.org']]);
    // In the same hour as before.
    await log.clear('home');
    await log.append(Array.from({ length: 17_000 }, () => aRecord({ domain: 'last.example' })));
    assert.deepEqual(await domains('home'), ['last.example']);
    assert.equal(await log.requestsSince('home', NOW - DAY), 17_002);
  },
);

testLogs('accounts of which only statistics are left are listed', async ({ log }) => {
  await log.append([aRecord(), aRecord({ account: 'work', time: NOW - 40 * DAY })]);
  await log.applyRetention(() => NOW);
  await log.clear('home');
  assert.deepEqual((await log.accounts()).toSorted(), ['home', 'work']);
  await log.deleteAccount('home');
  await log.deleteAccount('work');
  assert.deepEqual(await log.accounts(), []);
});

testLogs('nothing of a deleted account is left', async ({ log, again }) => {
  await log.append(Array.from({ length: 17_000 }, () => aRecord()));
  await log.append([aRecord(), aRecord({ account: 'work' })]);
  await log.deleteAccount('home');
  const store = await again();
  assert.deepEqual((await store.page('home', everything)).items, []);
  assert.equal(await store.requestsSince('home', 0), 0);
  assert.deepEqual(await store.statistics.companies('home', { from: 0, to: NOW }), []);
  assert.equal(await store.requestsSince('work', 0), 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { logStatisticsOperations } from './log-statistics.ts';

test('hits per list and average latency are those of the account', async (t) => {
  const { account, clock, call, done, log } = await openApi(t, logStatisticsOperations);
  const [home, other] = [await account('home'), await account('other')];
  const time = clock.now - 60_000;
  const blocked = { account: home.account, time, status: 'REQUEST_BLOCKED', filterId: 'list-a', latencyMs: 0 } as const;
  await log.append([
    aRecord(blocked),
    aRecord({ ...blocked, filterId: 'list-b', device: 'tablet' }),
    aRecord(blocked),
    // A list that allows has blocked nothing.
    aRecord({ ...blocked, status: 'REQUEST_ALLOWED', latencyMs: 45 }),
    aRecord({ ...blocked, account: other.account, filterId: 'theirs', latencyMs: 900 }),
  ]);
  const query = { time_from_millis: clock.now - 3_600_000, time_to_millis: clock.now };
  assert.deepEqual((await done('getListStats', home, { query })).reply.stats, [
    { filter_id: 'list-a', blocked: 2 },
    { filter_id: 'list-b', blocked: 1 },
  ]);
  const { stats } = (await done('getLatencyStats', home, { query })).reply;
  const known = stats.filter(({ queries }: { queries: number }) => queries > 0);
  assert.deepEqual(known, [{ time_millis: time - (time % 60_000), queries: 4, average_millis: 11.3 }]);
  const active = (await done('getActiveDevicesStats', home, { query })).reply.stats;
  assert.deepEqual(
    active.filter(({ devices }: { devices: number }) => devices > 0),
    [{ time_millis: time - (time % 60_000), devices: 2 }],
  );
  assert.equal(active.length, 61);
  assert.equal(stats.length, 61);
  assert.ok(!('average_millis' in stats[0]));
  const reversed = { time_from_millis: 2, time_to_millis: 1 };
  for (const name of ['getListStats', 'getLatencyStats', 'getActiveDevicesStats'])
    assert.ok(!(await call(name, home, { query: reversed })).ok, name);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { accountLimitOperations } from './account-limits.ts';
import { deviceOperations } from './devices.ts';

const operations = [...accountLimitOperations, ...deviceOperations];

test('limits are those of the plan, and usage is that of the account alone', async (t) => {
  const { account, done } = await openApi(t, operations);
  const [home, other] = [await account('home'), await account('other')];
  for (const owner of [home, home, other]) {
    const body = { device_type: 'ANDROID', dns_server_id: owner.server, name: 'Phone' };
    await done('createDevice', owner, { body });
  }
  const { reply } = await done('getAccountLimits', home);
  assert.deepEqual(reply.devices, { limit: 5, used: 2 });
  assert.deepEqual(reply.dns_servers, { limit: 3, used: 1 });
  assert.deepEqual(reply.requests, { limit: 2 ** 31 - 1, used: 0 });
});

test('requests are counted from the start of the month in the time zone of the account', async (t) => {
  const { account, clock, done, log } = await openApi(t, operations);
  const home = await account('home');
  // Midnight in Berlin is an hour before midnight in UTC.
  const monthStart = Date.UTC(2026, 9, 31, 23);
  clock.now = Date.UTC(2026, 10, 15, 12);
  await log.append([
    aRecord({ account: home.account, time: monthStart - 1 }),
    aRecord({ account: home.account, time: monthStart }),
    aRecord({ account: home.account, time: clock.now - 1000 }),
    aRecord({ account: 'other', time: clock.now - 1000 }),
  ]);
  assert.equal((await done('getAccountLimits', home)).reply.requests.used, 2);
});

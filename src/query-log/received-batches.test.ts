import assert from 'node:assert/strict';
import { allPages, aRecord, NOW, testLogs } from '../../test/support/query-log/logs.ts';
import { DAY_MS } from '../kit/durations.ts';

const everything = { from: 0, to: NOW + DAY_MS, limit: 1000 };

testLogs('a batch that is sent again is stored once, also after a restart', async ({ log, again }) => {
  const records = [
    aRecord({ account: 'home', domain: 'sent.example' }),
    aRecord({ account: 'work', domain: 'sent.example' }),
    aRecord({ account: 'home', domain: 'last-week.example', time: NOW - 8 * DAY_MS }),
  ];
  await log.appendOnce('edge 1', records);
  await log.appendOnce('edge 1', records);
  await log.appendOnce('edge 2', records.slice(0, 1));
  const reopened = await again();
  await reopened.appendOnce('edge 1', records);
  const domains = async (account: string) =>
    (await allPages(reopened, account, everything)).map(({ domain }) => domain).sort();
  assert.deepEqual(await domains('home'), ['last-week.example', 'sent.example', 'sent.example']);
  assert.deepEqual(await domains('work'), ['sent.example']);
  assert.equal(await reopened.requestsSince('work', NOW - DAY_MS), 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { countLists } from './count-lists.ts';

const MINUTE = 60_000;
// The first bucket begins half a minute before the range.
const range = { from: NOW - 9.5 * MINUTE, to: NOW };
const blocked = (filterId: string, time: number) => aRecord({ time, filterId, status: 'REQUEST_BLOCKED' });

test('blocked queries are counted by list in whole buckets; allowed ones are not', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  const start = bucketStart('minute', range.from);
  await append([
    blocked('a', NOW - 1),
    blocked('b', start),
    blocked('b', NOW - 2),
    blocked('b', start - 1),
    aRecord({ filterId: 'allow', status: 'REQUEST_ALLOWED' }),
  ]);
  await flush();
  await append([blocked('c', NOW - 1)]);
  assert.deepEqual(await reading((own) => countLists(own, 'home', range, NOW)), [
    { filterId: 'b', blocked: 2 },
    { filterId: 'a', blocked: 1 },
    { filterId: 'c', blocked: 1 },
  ]);
});

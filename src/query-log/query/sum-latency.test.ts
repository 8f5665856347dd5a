import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { sumLatency } from './sum-latency.ts';

const MINUTE = 60_000;
const range = { from: NOW - 10 * MINUTE, to: NOW };

test('the average latency of a bucket is that of the queries that were measured', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  const at = (time: number, latencyMs?: number) => aRecord({ time, ...(latencyMs === undefined ? {} : { latencyMs }) });
  await append([at(NOW - MINUTE, 10), at(NOW - MINUTE + 1, 25), at(NOW - MINUTE + 2), at(NOW - 3 * MINUTE, 0)]);
  await flush();
  await append([at(NOW - MINUTE, 1)]);
  const buckets = await reading((own) => sumLatency(own, 'home', range, NOW));
  const measured = buckets.filter(({ queries }) => queries > 0);
  assert.deepEqual(measured, [
    { time: bucketStart('minute', NOW - 3 * MINUTE), queries: 1, averageMs: 0 },
    { time: bucketStart('minute', NOW - MINUTE), queries: 3, averageMs: 12 },
  ]);
  assert.equal(buckets.length, 11);
  assert.equal(buckets.at(-1)!.averageMs, undefined);
});

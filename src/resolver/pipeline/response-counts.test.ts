import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rcodes } from '../../dns/numbers.ts';
import type { Client } from '../identity/client.ts';
import { newQueryContext, type QueryContext } from './query-context.ts';
import { createResponseCountsMemory, openResponseCounter, readResponseCounts } from './response-counts.ts';

const response = (changes: Partial<QueryContext>): QueryContext => ({
  ...newQueryContext(),
  client: {} as Client,
  response: 'message',
  output: new Uint8Array(12),
  ...changes,
});

function counted(...contexts: readonly QueryContext[]) {
  const memories = [createResponseCountsMemory(), createResponseCountsMemory()];
  const counters = memories.map(openResponseCounter);
  for (const [nth, context] of contexts.entries()) counters[nth % 2]!.count(context);
  return readResponseCounts(memories);
}

const seriesOf = (counts: ReturnType<typeof counted>, transport: string, outcome: string) =>
  counts.latency.find((one) => one.transport === transport && one.outcome === outcome)!;

test('responses of all threads are counted by outcome and latency', () => {
  const counts = counted(
    response({ startedMs: 1000, nowMs: 1000 }),
    response({ startedMs: 1000, nowMs: 1030 }),
    response({ startedMs: 1000, nowMs: 9000, status: 'REQUEST_BLOCKED' }),
    response({ status: 'MODIFIED' }),
    response({ client: undefined, response: 'code', code: rcodes.REFUSED }),
  );
  assert.deepEqual(seriesOf(counts, 'udp', 'answered'), {
    transport: 'udp',
    outcome: 'answered',
    buckets: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    sumMs: 30,
  });
  assert.equal(seriesOf(counts, 'udp', 'blocked').buckets.at(-1), 1);
  assert.equal(seriesOf(counts, 'udp', 'rewritten').buckets[0], 1);
  assert.equal(seriesOf(counts, 'udp', 'refused').buckets[0], 1);
  assert.deepEqual(counts.rcodes, { NOERROR: 4, REFUSED: 1 });
});

test('a time that wraps around 32 bits is measured, and a clock that was set back counts as no time', () => {
  const now = 2 ** 32 * 400;
  assert.equal(seriesOf(counted(response({ startedMs: 2 ** 32 - 5, nowMs: now + 5 })), 'udp', 'answered').sumMs, 10);
  assert.equal(seriesOf(counted(response({ startedMs: now + 500, nowMs: now })), 'udp', 'answered').sumMs, 0);
});

test('the result of the cache is counted if the cache was used', () => {
  const message = { ...newQueryContext().message, isShared: true };
  const counts = counted(
    response({ message }),
    response({ isMiss: true }),
    response({ message: { ...message, staleTtl: 30 } }),
    response({}),
    response({ response: 'blocked' }),
  );
  assert.deepEqual(counts.cache, { hit: 1, miss: 1, stale: 1 });
});

test('actions of the rate limit are counted', () => {
  const memory = createResponseCountsMemory();
  const { countRateLimited } = openResponseCounter(memory);
  for (const action of ['drop', 'drop', 'truncate'] as const) countRateLimited(action);
  assert.deepEqual(readResponseCounts([memory]).rateLimited, { drop: 2, truncate: 1 });
});

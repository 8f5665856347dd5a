import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientActivity } from '../resolver/identity/client-activity.ts';
import { collectActivity } from './collect-activity.ts';

const seen = (address: string, queries: number, lastSeen: number): ClientActivity => ({
  account: 'anna',
  dnsServer: 'home',
  address,
  queries,
  lastSeen,
});

test('the counts of all threads are summed once they have all reported', async () => {
  const rounds: number[] = [];
  const collector = collectActivity({
    request: async (round) => {
      rounds.push(round);
      return [seen('10.0.0.1', 1, 100)];
    },
    udpThreads: () => 2,
  });
  const collected = collector.collect();
  assert.equal(collector.collect(), collected, 'concurrent calls share one result');
  collector.reported(rounds[0]!, [seen('10.0.0.1', 2, 300), seen('10.0.0.2', 5, 50)]);
  setImmediate(() => collector.reported(rounds[0]!, [seen('10.0.0.1', 4, 200)]));
  assert.deepEqual(await collected, [seen('10.0.0.1', 7, 300), seen('10.0.0.2', 5, 50)]);
});

test('a thread that does not report is not waited for, and its counts come with the next call', async () => {
  const collector = collectActivity({ request: async () => [], udpThreads: () => 1, waitMs: 5 });
  assert.deepEqual(await collector.collect(), []);
  collector.reported(1, [seen('10.0.0.1', 3, 100)]);
  const next = collector.collect();
  collector.reported(2, [seen('10.0.0.1', 1, 90)]);
  assert.deepEqual(await next, [seen('10.0.0.1', 4, 100)]);
});

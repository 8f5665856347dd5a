import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairSlots, NoSlot } from './fair-slots.ts';

const limits = { total: 3, perKey: 2, maxWaiting: 3, maxWaitingPerKey: 2 };
const forever = new AbortController().signal;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a key has at most its own share, and the next slot goes to the key with the fewest', async () => {
  const slots = fairSlots(limits);
  const entered: string[] = [];
  const take = async (key: string, name: string) => {
    const release = await slots.take(key, forever);
    entered.push(name);
    return release;
  };
  const first = take('a', 'a1');
  void take('a', 'a2');
  void take('a', 'a3');
  void take('b', 'b1');
  void take('c', 'c1');
  await settled();
  assert.deepEqual(entered, ['a1', 'a2', 'b1']);
  const release = await first;
  release();
  release();
  await settled();
  assert.deepEqual(entered, ['a1', 'a2', 'b1', 'c1'], 'c has none; a third of a waits');
  assert.deepEqual(slots.stats(), { inUse: 3, waiting: 1 });
});

test('the number of waiting callers is limited, in total and per key', async () => {
  const slots = fairSlots({ ...limits, total: 1 });
  await slots.take('a', forever);
  void slots.take('a', forever);
  void slots.take('a', forever);
  await assert.rejects(slots.take('a', forever), { why: 'too many of this key waiting' } satisfies Partial<NoSlot>);
  void slots.take('b', forever);
  await assert.rejects(slots.take('c', forever), new NoSlot('too many waiting'));
});

test('an aborted caller leaves the queue', async () => {
  const slots = fairSlots({ ...limits, total: 1 });
  const release = await slots.take('a', forever);
  const leaving = new AbortController();
  const left = slots.take('b', leaving.signal);
  leaving.abort();
  await assert.rejects(left, { name: 'AbortError' });
  assert.deepEqual(slots.stats(), { inUse: 1, waiting: 0 });
  release();
  assert.deepEqual(slots.stats(), { inUse: 0, waiting: 0 });
});

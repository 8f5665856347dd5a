import assert from 'node:assert/strict';
import { test } from 'node:test';
import { err, ok } from '../kit/result.ts';
import type { CheckedOrder } from './check-job.ts';
import { knownOrders } from './job-cache.ts';

const order = (name: string): CheckedOrder => ({
  configuration: { name, sources: [{ source: '||a^' }] },
  format: 'adblock',
  explain: false,
  benchmark: false,
  keep: true,
});

test('identical bytes are checked once, others are checked again', () => {
  const read = knownOrders(100_000);
  let checks = 0;
  const check = () => ok(order(`${++checks}`));
  const first = read('application/json', Buffer.from('{"a":1}'), check);
  assert.equal(read('application/json', Buffer.from('{"a":1}'), check).ok && first.ok, true);
  assert.deepEqual(read('application/json', Buffer.from('{"a":1}'), check), first);
  assert.equal(checks, 1);
  read('application/json', Buffer.from('{"a":2}'), check);
  assert.equal(checks, 2);
  read('text/html', Buffer.from('{"a":2}'), check);
  assert.equal(checks, 3);
});

test('rejected, large and empty bodies are checked each time', () => {
  const read = knownOrders(100_000);
  let checks = 0;
  const refuse = () => {
    checks++;
    return err({ status: 400, error: 'no' });
  };
  for (const body of [Buffer.from('x'), Buffer.alloc(100_000), undefined]) {
    read(undefined, body, refuse);
    read(undefined, body, refuse);
  }
  assert.equal(checks, 6);
  let large = 0;
  const accept = () => ok(order(`${++large}`));
  read('application/json', Buffer.alloc(100_000), accept);
  read('application/json', Buffer.alloc(100_000), accept);
  assert.equal(large, 2);
});

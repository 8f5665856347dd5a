import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClaimsMemory, openClaims } from './claims.ts';

function open() {
  const memory = createClaimsMemory();
  const woken: number[] = [];
  const [one, other] = [0, 1].map((thread) => openClaims(memory, thread, () => woken.push(thread)));
  return { one: one!, other: other!, woken };
}

test('a thread waits for the question of another one until it has ended', () => {
  const { one, other, woken } = open();
  assert.equal(one.claim(5, 7), 'held');
  assert.equal(other.claim(5, 7), 'followed');
  assert.equal(other.isOver(5, 7), false);
  one.release(7);
  assert.equal(other.isOver(5, 7), true);
  assert.deepEqual(woken, [0]);
  assert.equal(other.claim(5, 7), 'held');
});

test('other threads are not woken for a question that only one has, and different questions are not shared', () => {
  const { one, other, woken } = open();
  one.claim(5, 7);
  assert.equal(other.claim(6, 7), 'not shared');
  assert.equal(one.claim(5, 7), 'not shared', 'its own question');
  one.release(7);
  assert.deepEqual(woken, []);
});

test('a thread with an event loop waits until the question has ended, or for a given time', async () => {
  const { one, other } = open();
  one.claim(5, 7);
  assert.equal(other.claim(5, 7), 'followed');
  const waits = other.wait(5, 7, 60_000).then(() => other.isOver(5, 7));
  one.release(7);
  assert.equal(await waits, true);
  await other.wait(5, 7, 60_000);
  one.claim(5, 7);
  other.claim(5, 7);
  await other.wait(5, 7, 10);
  assert.equal(other.isOver(5, 7), false);
});

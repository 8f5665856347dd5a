import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rcodes } from '../../dns/numbers.ts';
import { failureMemory } from './failure-memory.ts';
import { failed, type UpstreamAnswer } from './upstream-answer.ts';

const servfail = { kind: 'answer', message: { rcode: rcodes.SERVFAIL } } as unknown as UpstreamAnswer;
const silence = failed('timeout', 'no answer');

function remembering() {
  const clock = { ms: 0 };
  const memory = failureMemory(() => clock.ms);
  const heldMs = (key: string): number => {
    const from = clock.ms;
    while (memory.recall(key)) clock.ms += 100;
    return clock.ms - from;
  };
  return { clock, heldMs, ...memory };
}

test('a failure is remembered for a second, and each further one for twice as long, up to half a minute', () => {
  const { remember, heldMs } = remembering();
  const held = Array.from({ length: 7 }, () => {
    remember('a', servfail);
    return heldMs('a') / 1000;
  });
  assert.deepEqual(held, [1, 2, 4, 8, 16, 30, 30]);
});

test('a failure is cached for five seconds at most', () => {
  const { remember, heldMs } = remembering();
  const held = Array.from({ length: 5 }, () => {
    remember('a', silence);
    return heldMs('a') / 1000;
  });
  assert.deepEqual(held, [1, 2, 4, 5, 5]);
});

test('the cached failure is the one that happened', () => {
  const { remember, recall } = remembering();
  remember('a', servfail);
  assert.equal(recall('a'), servfail);
  assert.equal(recall('b'), undefined);
});

test('a success makes the next failure a first one', () => {
  const { remember, forget, heldMs } = remembering();
  for (let i = 0; i < 4; i++) remember('a', servfail);
  forget('a');
  remember('a', servfail);
  assert.equal(heldMs('a'), 1000);
});

test('a failure long ago does not extend the wait', () => {
  const { clock, remember, heldMs } = remembering();
  for (let i = 0; i < 3; i++) remember('a', servfail);
  clock.ms += 60_000;
  remember('a', servfail);
  assert.equal(heldMs('a'), 1000);
});

test('when an upstream is back, silence is forgotten and what was said is not', () => {
  const { remember, recall, forgetSilence, heldMs } = remembering();
  remember('a', silence);
  remember('b', servfail);
  remember('c', failed('malformed', 'a circle'));
  forgetSilence();
  assert.equal(recall('a'), undefined);
  assert.ok(recall('b'));
  assert.ok(recall('c'));
  remember('a', silence);
  assert.equal(heldMs('a'), 1000);
});

test('the newest ten thousand failures are cached', () => {
  const { remember, recall } = remembering();
  for (let i = 0; i < 10_001; i++) remember(String(i), servfail);
  assert.equal(recall('0'), undefined);
  assert.ok(recall('1'));
  assert.ok(recall('10000'));
});

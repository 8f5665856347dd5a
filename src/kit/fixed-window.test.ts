import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slow } from '../../test/support/kit/slow.ts';
import { fixedWindow } from './fixed-window.ts';

function tenAMinute(options: { limit?: number; maxKeys?: number } = {}) {
  const clock = { ms: 1000 };
  const window = fixedWindow({ limit: 10, windowMs: 60_000, maxKeys: 100, ...options, now: () => clock.ms });
  return { clock, ...window };
}

const times = <T>(count: number, job: () => T): T[] => Array.from({ length: count }, job);

test('of 30 requests at once exactly 10 pass', () => {
  const { take } = tenAMinute();
  assert.deepEqual(
    times(30, () => take('a').allowed),
    [...times(10, () => true), ...times(20, () => false)],
  );
});

test('each result has the limit, the remaining number and the end of the window', () => {
  const { clock, take } = tenAMinute({ limit: 2 });
  assert.deepEqual(take('a'), { allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
  clock.ms += 15_000;
  assert.deepEqual(take('a'), { allowed: true, limit: 2, remaining: 0, resetMs: 45_000 });
  clock.ms += 44_999;
  assert.deepEqual(take('a'), { allowed: false, limit: 2, remaining: 0, resetMs: 1 });
});

test('a window lasts from the first request, not from the last, and refused ones do not lengthen it', () => {
  const { clock, take } = tenAMinute();
  times(10, () => take('a'));
  for (let i = 0; i < 59; i++) {
    clock.ms += 1000;
    assert.equal(take('a').allowed, false);
  }
  clock.ms += 1000;
  assert.deepEqual(take('a'), { allowed: true, limit: 10, remaining: 9, resetMs: 60_000 });
});

test('keys do not share, and names of Object.prototype are ordinary keys', () => {
  const { take } = tenAMinute({ limit: 1 });
  for (const key of ['a', 'b', '__proto__', 'constructor', '']) {
    assert.equal(take(key).allowed, true);
    assert.equal(take(key).allowed, false);
  }
});

test('a request may cost more than one; what does not fit is refused whole and costs nothing', () => {
  const { take } = tenAMinute();
  assert.equal(take('a', 8).remaining, 2);
  assert.deepEqual(take('a', 3), { allowed: false, limit: 10, remaining: 2, resetMs: 60_000 });
  assert.equal(take('a', 2).allowed, true);
});

test('a later charge may exceed the limit, and then nothing is allowed until the window ends', () => {
  const { clock, take, add, peek } = tenAMinute();
  assert.equal(take('a', 0).allowed, true);
  add('a', 9.5);
  assert.equal(take('a', 0).allowed, true);
  add('a', 300);
  assert.deepEqual(take('a', 0), { allowed: false, limit: 10, remaining: 0, resetMs: 60_000 });
  assert.deepEqual(peek('a'), { allowed: false, limit: 10, remaining: 0, resetMs: 60_000 });
  clock.ms += 60_000;
  assert.equal(peek('a').allowed, true);
  assert.equal(take('a', 0).allowed, true);
});

test('a limit used up exactly is used up', () => {
  const { add, take, peek } = tenAMinute();
  add('a', 10);
  assert.equal(take('a', 0).allowed, false);
  assert.equal(peek('a').allowed, false);
});

test('peeking does not start a window', () => {
  const { clock, take, peek } = tenAMinute();
  assert.deepEqual(peek('a'), { allowed: true, limit: 10, remaining: 10, resetMs: 0 });
  clock.ms += 30_000;
  assert.equal(take('a').resetMs, 60_000);
});

test('a limit of zero allows no requests', () => {
  const { take, peek } = tenAMinute({ limit: 0 });
  assert.equal(take('a').allowed, false);
  assert.equal(peek('a').allowed, false);
});

test('above the limit of keys, only the oldest windows are evicted', () => {
  const { take, peek } = tenAMinute({ limit: 1, maxKeys: 3 });
  for (const key of ['a', 'b', 'c', 'd']) take(key);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => peek(key).allowed),
    [true, false, false, false],
  );
});

test('a key that comes back after its window does not lose the new one when the old is swept', () => {
  const { clock, take } = tenAMinute({ limit: 1, maxKeys: 100 });
  for (const key of ['a', 'b', 'c', 'd', 'e']) take(key);
  clock.ms += 60_000;
  assert.equal(take('e').allowed, true);
  for (const key of ['f', 'g', 'h']) take(key);
  assert.equal(take('e').allowed, false);
});

test('after a million keys, memory is within the limit', slow, () => {
  const clock = { ms: 0 };
  const { take } = fixedWindow({ limit: 1, windowMs: 1000, maxKeys: 1000, now: () => clock.ms });
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1_000_000; i++) {
    take(`key ${i}`);
    if (i % 100 === 0) clock.ms += 1;
  }
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 50e6, `the heap grew by ${grown} bytes`);
});

test('no window allows more than its limit, for any order of requests and pauses', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), waitMs: fc.integer({ min: 0, max: 400 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = { ms: 0 };
      const { take } = fixedWindow({ limit: 3, windowMs: 1000, maxKeys: 10, now: () => clock.ms });
      const plain = new Map<string, { since: number; used: number }>();
      for (const { key, waitMs } of steps) {
        clock.ms += waitMs;
        const known = plain.get(key);
        const window = known && clock.ms - known.since < 1000 ? known : { since: clock.ms, used: 0 };
        plain.set(key, window);
        assert.equal(take(key).allowed, window.used < 3);
        window.used += 1;
      }
    }),
  );
});

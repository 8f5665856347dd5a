import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lru } from './lru.ts';

test('the least recently used entry is evicted first, and the caller gets it', () => {
  const kept = lru<string>({ maxBytes: 3 });
  for (const key of ['a', 'b', 'c']) assert.deepEqual(kept.set(key, key.toUpperCase(), 1), []);
  assert.equal(kept.get('a'), 'A');
  assert.deepEqual(kept.set('d', 'D', 2), ['B', 'C']);
  assert.equal(kept.get('b'), undefined);
  assert.equal(kept.get('a'), 'A');
  assert.equal(kept.get('d'), 'D');
});

test('a value larger than all the room is not kept, pushes nothing out and does not leave its predecessor behind', () => {
  const kept = lru<string>({ maxBytes: 10 });
  kept.set('a', 'A', 4);
  kept.set('b', 'B', 4);
  assert.deepEqual(kept.set('b', 'too large', 11), ['too large']);
  assert.equal(kept.get('b'), undefined);
  assert.equal(kept.get('a'), 'A');
  assert.equal(kept.bytes(), 4);
  assert.deepEqual(kept.set('c', 'just fits', 10), ['A']);
});

test('a value that replaces another needs only the difference, and counts as used', () => {
  const kept = lru<string>({ maxBytes: 10 });
  kept.set('a', 'A', 5);
  kept.set('b', 'B', 5);
  assert.deepEqual(kept.set('a', 'AA', 5), []);
  assert.equal(kept.bytes(), 10);
  assert.deepEqual(kept.set('c', 'C', 1), ['B']);
});

test('what is deleted leaves its room; deleting what is not there does nothing', () => {
  const kept = lru<number>({ maxBytes: 10 });
  kept.set('a', 1, 6);
  kept.delete('a');
  kept.delete('a');
  assert.equal(kept.get('a'), undefined);
  assert.equal(kept.bytes(), 0);
});

test('names of Object.prototype are ordinary keys', () => {
  const kept = lru<number>({ maxBytes: 10 });
  assert.equal(kept.get('__proto__'), undefined);
  kept.set('__proto__', 1, 1);
  assert.equal(kept.get('__proto__'), 1);
  assert.equal(kept.get('constructor'), undefined);
});

/** The same told with a list: slow, and plainly right. */
function plainLru(maxBytes: number) {
  let kept: { key: string; value: number; bytes: number }[] = [];
  const without = (key: string) => kept.filter((one) => one.key !== key);
  const sum = () => kept.reduce((total, one) => total + one.bytes, 0);
  return {
    get(key: string) {
      const found = kept.find((one) => one.key === key);
      if (found) kept = [...without(key), found];
      return found?.value;
    },
    set(key: string, value: number, bytes: number): number[] {
      kept = without(key);
      if (bytes > maxBytes) return [value];
      const gone: number[] = [];
      while (sum() + bytes > maxBytes) gone.push(kept.shift()!.value);
      kept.push({ key, value, bytes });
      return gone;
    },
    delete(key: string) {
      kept = without(key);
    },
    bytes: sum,
  };
}

test('any series of calls gives what a plain list would give', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const call = fc.oneof(
    fc.record({ kind: fc.constant('get' as const), key }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat(), bytes: fc.integer({ min: 0, max: 12 }) }),
  );
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const [real, plain] = [lru<number>({ maxBytes: 10 }), plainLru(10)];
      for (const each of calls) {
        if (each.kind === 'set')
          assert.deepEqual(real.set(each.key, each.value, each.bytes), plain.set(each.key, each.value, each.bytes));
        else assert.equal(real[each.kind](each.key), plain[each.kind](each.key));
        assert.equal(real.bytes(), plain.bytes());
      }
    }),
  );
});

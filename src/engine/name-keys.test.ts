import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameOf } from '../../test/support/engine/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { createNameKeys, hashKey, type NameKeys, readNameKeys, startOf } from './name-keys.ts';

const secret = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1);

function keysOf(name: Uint8Array, at = 0, itsSecret = secret): NameKeys {
  const keys = createNameKeys();
  readNameKeys(hashKey(itsSecret), name, at, keys);
  return keys;
}

const whole = (text: string): string => {
  const { high, low, count } = keysOf(nameOf(text));
  return `${high[count]} ${low[count]}`;
};

const MASK = 2n ** 64n - 1n;
const mixed = (word: bigint): bigint => {
  const folded = ((word ^ (word >> 32n)) * 0xd6e8feb86659fd93n) & MASK;
  return folded ^ (folded >> 29n);
};

/** The keys of the blocks of names, eight for each. */
function* plainSecrets(): Generator<bigint> {
  for (let state = mixed(new DataView(secret.buffer).getBigUint64(0, true)); ; ) {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    yield mixed(mixed(state));
  }
}

/** The hash as documented in the kernels: sums of products of the quarters of blocks, each with its own key. */
function plainKeys(labels: readonly Uint8Array[]): { high: number; low: number } {
  const secrets = plainSecrets();
  const sums = [0n, 0n];
  for (const label of labels.toReversed()) {
    const bytes = [label.length, ...label].map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
    for (let at = 0; at < bytes.length; at += 16) {
      const quarters = [0, 4, 8, 12].map((from) =>
        bytes.slice(at + from, at + from + 4).reduce((sum, byte, nth) => sum | (BigInt(byte) << BigInt(8 * nth)), 0n),
      );
      for (const lane of [0, 1])
        for (const pair of [0, 2]) {
          const [one, other] = [secrets.next().value as bigint, secrets.next().value as bigint];
          sums[lane] = (sums[lane]! + (quarters[pair]! + one) * (quarters[pair + 1]! + other)) & MASK;
        }
    }
  }
  const all = mixed(((sums[0]! >> 32n) << 32n) | (sums[1]! >> 32n));
  return { high: Number(BigInt.asIntN(32, all >> 32n)), low: Number(BigInt.asIntN(32, all)) };
}

const someLabels = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 63 }), { minLength: 1, maxLength: 12 })
  .filter((labels) => labels.reduce((sum, { length }) => sum + length + 1, 1) <= 255);
const wire = (labels: readonly Uint8Array[]): number[] => [...labels.flatMap((label) => [label.length, ...label]), 0];

test('each parent of a name has its fingerprint, at any offset of the name', () => {
  fc.assert(
    fc.property(someLabels, fc.nat(5), fc.nat(300), (labels, before, behind) => {
      const bytes = Uint8Array.from([...Array(before).fill(9), ...wire(labels), ...Array(behind).fill(9)]);
      const keys = keysOf(bytes, before);
      // Again from the same buffer, which is then read in words.
      readNameKeys(hashKey(secret), bytes, before, keys);
      assert.equal(keys.count, labels.length);
      for (let count = 1; count <= labels.length; count++) {
        const above = labels.slice(-count);
        assert.deepEqual({ high: keys.high[count], low: keys.low[count] }, plainKeys(above));
        assert.equal(startOf(keys, count), wire(labels).length - wire(above).length);
      }
    }),
  );
});

test('only ASCII letters are case-insensitive', () => {
  assert.equal(whole('WWW.Example.COM'), whole('www.example.com'));
  assert.notEqual(whole('@.com'), whole('`.com'), 'the characters before the letters');
  assert.notEqual(whole('[.com'), whole('{.com'), 'and behind them');
  assert.notEqual(whole('\\193.com'), whole('\\225.com'), 'what would be letters without its first bit');
});

test('a dot inside a label does not end it', () => {
  assert.notEqual(whole('a\\.com'), whole('a.com'));
  assert.notEqual(whole('a.bc'), whole('ab.c'));
});

test('the longest names have fingerprints, and the root has none', () => {
  assert.equal(keysOf(nameOf('a.'.repeat(127))).count, 127);
  assert.equal(keysOf(nameOf(`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`)).count, 4);
  assert.equal(keysOf(Uint8Array.of(0)).count, 0);
});

test('invalid names are not read beyond their bytes', () => {
  assert.equal(keysOf(Uint8Array.of(3, 97)).count, 1);
  assert.equal(keysOf(new Uint8Array(600).fill(1)).count, 127);
  assert.ok(keysOf(new Uint8Array(600).fill(60)).count < 127);
  assert.ok(keysOf(Uint8Array.of(0xc0, 12)).count <= 1);
});

test('different secrets give different fingerprints', () => {
  const [ours, theirs] = [keysOf(nameOf('a.com')), keysOf(nameOf('a.com'), 0, new Uint8Array(8))];
  assert.notEqual(ours.high[2], theirs.high[2]);
  assert.notEqual(ours.low[2], theirs.low[2]);
  assert.throws(() => hashKey(new Uint8Array(7)), /8 bytes/);
});

test('one reader of names serves several secrets', () => {
  const [name, other] = [nameOf('a.com'), new Uint8Array(8)];
  const keys = keysOf(name, 0, other);
  readNameKeys(hashKey(secret), name, 0, keys);
  assert.equal(keys.high[2], keysOf(name).high[2]);
  readNameKeys(hashKey(other), name, 0, keys);
  assert.equal(keys.high[2], keysOf(name, 0, other).high[2]);
});

test('on average, half of the bits change with any change of a name', slow, () => {
  const names = Array.from({ length: 4000 }, (_, nth) => keysOf(nameOf(`n${nth}.example.com`)));
  const ones = (words: readonly number[]): number[] =>
    Array.from({ length: 32 }, (_, bit) => words.filter((word) => (word >>> bit) & 1).length / words.length);
  for (const share of [...ones(names.map(({ high }) => high[3]!)), ...ones(names.map(({ low }) => low[3]!))])
    assert.ok(Math.abs(share - 0.5) < 0.05, String(share));
  assert.equal(new Set(names.map(({ high, low }) => `${high[3]} ${low[3]}`)).size, names.length);
});

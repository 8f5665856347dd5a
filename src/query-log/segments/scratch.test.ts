import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scratchFloat64, scratchInt32, scratchUint8, scratchUint32, withScratch } from './scratch.ts';

const kinds = { scratchUint32, scratchInt32, scratchFloat64, scratchUint8 };

for (const [name, allocate] of Object.entries(kinds))
  test(`${name}: arrays share memory during an encode only, and start with zeros`, () => {
    const [one, other] = withScratch(() => [allocate(3).fill(7), allocate(5).fill(9)] as const);
    assert.equal(one.buffer, other.buffer);
    assert.deepEqual([...one, ...other], [7, 7, 7, 9, 9, 9, 9, 9]);
    withScratch(() =>
      assert.deepEqual(
        [...allocate(8)],
        Array.from({ length: 8 }, () => 0),
      ),
    );
    const ordinary = allocate(3);
    assert.notEqual(ordinary.buffer, one.buffer);
    assert.deepEqual([...ordinary], [0, 0, 0]);
  });

test('the memory grows for the next encode', () => {
  const encode = () => withScratch(() => [scratchUint32(2 ** 16), scratchUint32(2 ** 16)] as const);
  const [first, second] = encode();
  assert.notEqual(first.buffer, second.buffer);
  const [grown, beside] = encode();
  assert.equal(grown.buffer, beside.buffer);
});

test('more than the memory may have are ordinary arrays', () => {
  const encode = () => withScratch(() => scratchFloat64(2 ** 20));
  encode();
  const one = encode().fill(1);
  encode();
  assert.equal(one[0], 1);
});

test('an encode within another keeps its arrays, and an error ends the use', () => {
  withScratch(() => {
    const outer = scratchUint32(4).fill(1);
    withScratch(() => scratchUint32(4).fill(2));
    assert.equal(scratchUint32(1).buffer, outer.buffer);
    assert.deepEqual([...outer], [1, 1, 1, 1]);
  });
  assert.throws(() =>
    withScratch(() => {
      scratchUint32(4);
      throw new Error('not encoded');
    }),
  );
  assert.equal(scratchUint32(1).buffer.byteLength, 4);
});

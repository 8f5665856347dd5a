import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binaryBytes, binarySmallints, binaryTexts } from './postgres-arrays.ts';

/** Reads an array as PostgreSQL does: dimensions, nulls, type, length, first index, elements after their size. */
function read(bytes: Buffer) {
  const head = [0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at));
  const elements: Buffer[] = [];
  for (let at = 20; at < bytes.length; ) {
    const size = bytes.readInt32BE(at);
    elements.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  const [dimensions, nulls, type, length, first] = head;
  assert.deepEqual([dimensions, nulls, first, length], [1, 0, 1, elements.length]);
  return { type, elements };
}

test('arrays are written in the binary format, with the type of their elements', () => {
  const texts = ['a', '', 'bücher', '€ 😀', 'x'.repeat(5000)];
  const text = read(binaryTexts(texts));
  assert.equal(text.type, 25);
  assert.deepEqual(text.elements.map(String), texts);
  const bodies = [Buffer.of(0, 255), Buffer.alloc(0)];
  const bytes = read(binaryBytes(bodies));
  assert.deepEqual([bytes.type, bytes.elements], [17, bodies]);
  const numbers = [0, -1, 32_767, -32_768];
  const small = read(binarySmallints(numbers));
  assert.equal(small.type, 21);
  assert.deepEqual(
    small.elements.map((element) => element.readInt16BE()),
    numbers,
  );
  assert.deepEqual(read(binaryTexts([])).elements, []);
});

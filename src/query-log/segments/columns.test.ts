import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChecksumError } from './checksum-error.ts';
import { packColumns } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';
import { openColumns } from './open-columns.ts';
import { createTupleDictionary, encodeTuple, tupleColumn } from './tuple-dictionary.ts';

const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));

test('columns are read as they were encoded, wherever their bytes begin', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 400 }), fc.nat(2 ** 32 - 1), fc.nat(7), (values, most, offset) => {
      const numbers = createDictionary();
      const bytes = packColumns(values.length, {
        a: { values: numbers.values, codes: values.map((each) => encodeValue(numbers, each)) },
        b: { codes: values.map((_, index) => (index === 0 ? most : index)) },
        c: { codes: values.map(() => 0) },
      });
      const moved = new Uint8Array(bytes.length + offset);
      moved.set(bytes, offset);
      const open = openColumns(moved.subarray(offset));
      assert.equal(open.length, values.length);
      assert.deepEqual(
        Array.from(open.column('a').codes(), (code) => open.column('a').values()[code]),
        values,
      );
      assert.deepEqual(
        [...open.column('b').codes()],
        values.map((_, index) => (index === 0 ? most : index)),
      );
      assert.deepEqual(
        [...open.column('c').codes()],
        values.map(() => 0),
      );
    }),
  );
});

test('single values are found as they were encoded, without reading the others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(value, { maxLength: 200 }), value, (values, another) => {
      const open = openColumns(packColumns(0, { a: { values, codes: [], hasOffsets: true } }), 'as read').column('a');
      assert.equal(open.size(), values.length);
      assert.deepEqual(
        values.map((_, code) => open.valueAt(code)),
        values,
      );
      assert.deepEqual(
        values.map((each) => open.codeOf(each)),
        [...values.keys()],
      );
      assert.equal(open.codeOf(another), values.indexOf(another));
    }),
  );
});

test('texts with a part in them are found as they are written', () => {
  const texts = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(texts, fc.string({ minLength: 1, maxLength: 2 }), fc.nat(20), (values, part, most) => {
      const open = openColumns(packColumns(0, { a: { values, codes: [], hasOffsets: true } })).column('a');
      const written = JSON.stringify(part).slice(1, -1);
      const having = [...values.keys()].filter((code) => JSON.stringify(values[code]).slice(1, -1).includes(written));
      assert.deepEqual(open.codesWith(written, most), having.length > most ? undefined : having);
    }),
    // The quote after the backslash is part of the value.
    { examples: [[['\\'], '"', 0]] },
  );
});

test('a value that equals the end of another stays distinct', () => {
  const values = ['x"a"', 'a', 'aa', 12, 2, '\\"a'];
  const open = openColumns(packColumns(0, { a: { values, codes: [], hasOffsets: true } })).column('a');
  assert.deepEqual(values.map(open.codeOf), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(open.valueAt), values);
  assert.deepEqual(['"a', 'x', 1].map(open.codeOf), [-1, -1, -1]);
});

test('a column is verified when it is read, and damage elsewhere does not matter', () => {
  const names = Array.from({ length: 500 }, (_, number) => `name-${number}`);
  const codes = Array.from({ length: 500 }, (_, number) => number);
  const encoded = packColumns(500, { a: { values: names, codes, hasOffsets: true }, b: { codes } });
  encoded[encoded.length - 1]! ^= 0x10;
  assert.throws(() => openColumns(encoded), ChecksumError);
  const open = openColumns(encoded, 'as read');
  assert.deepEqual(open.column('a').values(), names);
  assert.equal(open.column('a').valueAt(499), 'name-499');
  assert.equal(open.column('b').codeAt(3), 3);
  assert.throws(() => open.column('b').codeAt(499), ChecksumError);
  assert.throws(() => open.column('b').codes(), ChecksumError);
  assert.equal(openColumns(encoded, 'none').column('b').codes().length, 500);
});

test('bytes that were changed are known as damaged', () => {
  const encoded = packColumns(3, { a: { values: ['x', 'y'], codes: [0, 1, 0] } });
  for (let index = 0; index < encoded.length; index += 1) {
    const changed = encoded.slice();
    changed[index]! ^= 0x10;
    assert.throws(() => openColumns(changed), ChecksumError);
  }
  assert.throws(() => openColumns(encoded.subarray(0, 5)), ChecksumError);
});

test('tuples are numbered in the order they are met, however many there are', () => {
  const known = createTupleDictionary(7, 0);
  const plain = new Map<string, number>();
  for (let turn = 0; turn < 60_000; turn += 1) {
    const row = [turn % 2, turn % 3, 0, turn % 5, 7, 0, (turn * 7919) % 9001] as const;
    const key = row.join();
    if (!plain.has(key)) plain.set(key, plain.size);
    known.input.set(row);
    assert.equal(encodeTuple(known), plain.get(key));
  }
  const columns = [0, 1, 2, 3, 4, 5, 6].map((place) => tupleColumn(known, place));
  assert.equal(known.size, plain.size);
  assert.deepEqual(
    Array.from(plain.keys(), (_, at) => columns.map((column) => column[at]).join()),
    [...plain.keys()],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createByteTable, find, findOrAdd, hashBytes, mayHave } from './byte-table.ts';

type Piece = { readonly key: string; readonly start: number; readonly end: number };

/** All strings concatenated, with the offsets of each. */
function lay(strings: readonly (readonly number[])[]): { bytes: Uint8Array; pieces: Piece[] } {
  let end = 0;
  const pieces = strings.map((string) => {
    const start = end;
    end += string.length;
    return { key: string.join(' '), start, end };
  });
  return { bytes: new Uint8Array(strings.flat()), pieces };
}

const byteStrings = fc.array(fc.array(fc.constantFrom(0, 1, 97, 98, 255), { minLength: 1, maxLength: 4 }), {
  maxLength: 300,
  size: 'max',
});
const runs = { numRuns: 500 };

/** The reference implementation: the index of each string that was added before, -1 for each new one. */
function asMap(pieces: readonly Piece[]): { found: number[]; map: Map<string, number> } {
  const map = new Map<string, number>();
  const found = pieces.map(({ key }) => {
    const index = map.get(key);
    if (index === undefined) map.set(key, map.size);
    return index ?? -1;
  });
  return { found, map };
}

function behavesAsMap(strings: readonly (readonly number[])[], hashOf: typeof hashBytes): void {
  const { bytes, pieces } = lay(strings);
  const table = createByteTable(0);
  const { found, map } = asMap(pieces);
  assert.deepEqual(
    pieces.map(({ start, end }) => findOrAdd(table, bytes, start, end, hashOf(bytes, start, end))),
    found,
  );
  assert.equal(table.count, map.size);
  for (const { key, start, end } of pieces) {
    const hash = hashOf(bytes, start, end);
    assert.equal(find(table, bytes, start, end, hash), map.get(key));
    assert.equal(mayHave(table, hash), true);
  }
}

test('byte strings are found by their bytes, also after the table has grown', () => {
  fc.assert(
    fc.property(byteStrings, (strings) => behavesAsMap(strings, hashBytes)),
    runs,
  );
  behavesAsMap(
    Array.from({ length: 20_000 }, (_, at) => [1 + (at & 127), 1 + ((at >> 7) & 127), at >> 14]),
    hashBytes,
  );
});

test('strings with the same hash stay distinct', () => {
  fc.assert(
    fc.property(byteStrings, (strings) => behavesAsMap(strings, () => 7)),
    { numRuns: 100 },
  );
  fc.assert(
    fc.property(byteStrings, (strings) => behavesAsMap(strings, (bytes, start) => bytes[start]! << 24)),
    { numRuns: 100 },
  );
});

test('a string that was never added is not found', () => {
  fc.assert(
    fc.property(byteStrings, byteStrings, (added, others) => {
      const { bytes, pieces } = lay([...added, ...others]);
      const table = createByteTable(4);
      const indexes = new Map<string, number>();
      for (const { key, start, end } of pieces.slice(0, added.length)) {
        if (!indexes.has(key)) indexes.set(key, indexes.size);
        findOrAdd(table, bytes, start, end, hashBytes(bytes, start, end));
      }
      for (const { key, start, end } of pieces) {
        assert.equal(find(table, bytes, start, end, hashBytes(bytes, start, end)), indexes.get(key) ?? -1);
      }
    }),
    runs,
  );
});

test('most lookups of missing hashes are answered by the filter', () => {
  const table = createByteTable(100);
  const { bytes, pieces } = lay(Array.from({ length: 200 }, (_, at) => [97 + (at % 26), 97 + Math.floor(at / 26)]));
  const hash = ({ start, end }: Piece): number => hashBytes(bytes, start, end);
  for (const piece of pieces.slice(0, 100)) findOrAdd(table, bytes, piece.start, piece.end, hash(piece));
  const inVain = pieces.slice(100).filter((piece) => mayHave(table, hash(piece)));
  assert.ok(inVain.length < 50, `${inVain.length} of 100`);
});

import { crc32 } from 'node:zlib';
import type { Predicate } from '../query/filter.ts';
import { ChecksumError } from './checksum-error.ts';
import type { Value } from './columns.ts';
import { type KeyField, keyFields, type RowTable } from './row.ts';
import { scratchUint32 } from './scratch.ts';
import { codesAt } from './tuples.ts';

/*
 * The bitmap index of a segment says which rows have a value of a key field. It numbers rows of rare tuples first, in
 * the order of their row pages, then one row of each frequent tuple. A bitmap is stored as runs of rows or, if that is
 * shorter, as one bit per row. The values of a field are spread over 16 parts by their hash, so a look-up reads one
 * part.
 */
const PARTS_OF_FIELD = 16;
export const BITMAP_PARTS = keyFields.length * PARTS_OF_FIELD;

/**
 * Hash of a value. Collisions are possible, so the reader compares the values of each row. Signed, because V8 stores
 * small signed integers without allocation.
 */
const hashOf = (field: KeyField, value: Value): number => crc32(`${field} ${value}`) | 0;
const partOf = (field: KeyField, hash: number): number =>
  keyFields.indexOf(field) * PARTS_OF_FIELD + (hash & (PARTS_OF_FIELD - 1));

// A part consists of 32-bit numbers: checksum of the rest, rows in row pages, rows, values; per value its hash, the
// offset of its bitmap and its number of runs; then the bitmaps. A run is its first row and its length minus one, 16
// bits each.
const ROWS_IN_PAGES = 1;
const ROWS = 2;
const VALUES = 3;
const HEAD_NUMBERS = 4;
const ENTRY_NUMBERS = 3;
/** Number of runs of a value that has one bit per row. */
const BITS = 0xffffffff;
const wordsFor = (rows: number): number => Math.ceil(rows / 32);

type IndexedValue = { readonly hash: number; readonly part: number; runs: number; at: number; last: number };

/**
 * The parts with at least one value, by number. The rows: those in row pages in page order, then one of each frequent
 * tuple.
 */
export function encodeBitmapIndex(
  { keys }: RowTable,
  rowsInPages: Uint32Array,
  common: Uint32Array,
): readonly (readonly [number, Uint8Array])[] {
  const order = scratchUint32(rowsInPages.length + common.length);
  order.set(rowsInPages);
  order.set(common, rowsInPages.length);
  const ofRows = codesAt(keys.codes, order);
  return keyFields.flatMap((field, index) => {
    const { values, codes } = keys.fields[index]!;
    const indexedValues = new Map<number, IndexedValue>();
    const indexedOfCode = values.map((value) => {
      if (value === null) return undefined;
      const hash = hashOf(field, value);
      const indexed = indexedValues.get(hash) ?? { hash, part: partOf(field, hash), runs: 0, at: 0, last: -2 };
      indexedValues.set(hash, indexed);
      return indexed;
    });
    return packField(codesAt(codes, ofRows), indexedOfCode, [...indexedValues.values()], rowsInPages.length);
  });
}

function packField(
  codes: Uint32Array,
  indexedOfCode: readonly (IndexedValue | undefined)[],
  indexedValues: readonly IndexedValue[],
  rowsInPages: number,
): readonly (readonly [number, Uint8Array])[] {
  const { length } = codes;
  const words = wordsFor(length);
  for (let row = 0, before: IndexedValue | undefined; row < length; row += 1) {
    const indexed = indexedOfCode[codes[row]!];
    if (indexed && indexed !== before) indexed.runs += 1;
    before = indexed;
  }
  const parts = new Map<number, Uint32Array>();
  for (const [part, group] of Map.groupBy(indexedValues, (indexed) => indexed.part)) {
    let end = HEAD_NUMBERS + group.length * ENTRY_NUMBERS;
    const starts = group.map((indexed) => {
      indexed.at = end;
      end += Math.min(indexed.runs, words);
      return indexed.at;
    });
    const numbers = new Uint32Array(end);
    numbers[ROWS_IN_PAGES] = rowsInPages;
    numbers[ROWS] = length;
    numbers[VALUES] = group.length;
    for (const [index, { hash, runs }] of group.entries())
      numbers.set([hash, starts[index]!, runs < words ? runs : BITS], HEAD_NUMBERS + index * ENTRY_NUMBERS);
    parts.set(part, numbers);
  }
  const partOfCode = indexedOfCode.map((indexed) => indexed && parts.get(indexed.part)!);
  for (let row = 0; row < length; row += 1) {
    const indexed = indexedOfCode[codes[row]!];
    if (!indexed) continue;
    const numbers = partOfCode[codes[row]!]!;
    if (indexed.runs >= words) numbers[indexed.at + (row >> 5)]! |= 1 << (row & 31);
    else if (indexed.last === row - 1) numbers[indexed.at - 1]! += 1;
    else {
      numbers[indexed.at] = row << 16;
      indexed.at += 1;
    }
    indexed.last = row;
  }
  return Array.from(parts, ([part, numbers]) => {
    const bytes = new Uint8Array(numbers.buffer);
    numbers[0] = crc32(bytes.subarray(4));
    return [part, bytes] as const;
  });
}

/** Parts and hashes to read for a predicate. */
export type BitmapLookup = { readonly parts: readonly number[]; readonly hashes: ReadonlySet<number> };

export function bitmapLookup([field, set]: Predicate): BitmapLookup {
  const hashes = new Set(Array.from(set, (value) => hashOf(field, value)));
  return { parts: [...new Set(Array.from(hashes, (hash) => partOf(field, hash)))], hashes };
}

/** Ascending row numbers. Those from `rowsInPages` on stand for frequent tuples. */
export type BitmapRows = { readonly rows: Uint16Array; readonly rowsInPages: number };

/** Rows that may have one of the values; only of `given` rows if present. */
export function rowsWithValues(
  parts: readonly Uint32Array[],
  hashes: ReadonlySet<number>,
  candidates?: BitmapRows,
): BitmapRows {
  let [count, values, rowsInPages] = [0, 0, 0];
  for (const numbers of parts) {
    rowsInPages = numbers[ROWS_IN_PAGES]!;
    for (let entry = HEAD_NUMBERS, left = numbers[VALUES]!; left > 0; left -= 1, entry += ENTRY_NUMBERS) {
      if (!hashes.has(numbers[entry]! | 0)) continue;
      const bitmap = { numbers, start: numbers[entry + 1]!, runs: numbers[entry + 2]! };
      count = candidates ? appendGivenRows(bitmap, candidates.rows, count) : appendAllRows(bitmap, count);
      values += 1;
    }
  }
  const rows = rowBuffer.slice(0, count);
  // Each row has one value, so there are no duplicates.
  return { rows: values > 1 ? rows.sort() : rows, rowsInPages };
}

type ValueBitmap = { readonly numbers: Uint32Array; readonly start: number; readonly runs: number };

/** Row numbers have 16 bits. */
const rowBuffer = new Uint16Array(2 ** 16);

/** Appends the rows of a value to `rowBuffer`; returns the new number of rows. */
function appendAllRows({ numbers, start, runs }: ValueBitmap, before: number): number {
  let count = before;
  if (runs === BITS) {
    const words = wordsFor(numbers[ROWS]!);
    for (let word = 0; word < words; word += 1)
      for (let left = numbers[start + word]! | 0; left !== 0; left &= left - 1)
        rowBuffer[count++] = word * 32 + 31 - Math.clz32(left & -left);
    return count;
  }
  for (let run = start; run < start + runs; run += 1) {
    const first = numbers[run]! >>> 16;
    const last = first + (numbers[run]! & 0xffff);
    for (let row = first; row <= last; row += 1) rowBuffer[count++] = row;
  }
  return count;
}

/** The same, limited to `rows`. */
function appendGivenRows({ numbers, start, runs }: ValueBitmap, rows: Uint16Array, before: number): number {
  const { length } = rows;
  let [count, index] = [before, 0];
  if (runs === BITS) {
    for (; index < length; index += 1) {
      const row = rows[index]!;
      rowBuffer[count] = row;
      count += (numbers[start + (row >> 5)]! >>> (row & 31)) & 1;
    }
    return count;
  }
  for (let run = start; run < start + runs && index < length; run += 1) {
    const first = numbers[run]! >>> 16;
    const last = first + (numbers[run]! & 0xffff);
    while (index < length && rows[index]! < first) index += 1;
    for (; index < length && rows[index]! <= last; index += 1) rowBuffer[count++] = rows[index]!;
  }
  return count;
}

/** Verifies and opens a part. */
export function openBitmaps(encoded: Uint8Array): Uint32Array {
  // Typed arrays need an aligned offset.
  const bytes = encoded.byteOffset % 4 === 0 ? encoded : new Uint8Array(encoded);
  if (bytes.length < HEAD_NUMBERS * 4) throw new ChecksumError();
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  if (numbers[0] !== crc32(bytes.subarray(4))) throw new ChecksumError();
  return numbers;
}

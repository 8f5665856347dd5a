import { crc32 } from 'node:zlib';
import type { Wanted } from '../query/filter.ts';
import { DamagedBytes } from './checksum-error.ts';
import type { Value } from './columns.ts';
import { codesAt } from './combined-rows.ts';
import { type KeyField, keyFields, type RowTable } from './row.ts';

/*
 * Marks say which rows of a block have a value: first rows that lie in pieces, then one of each common kind. They are runs of rows that
 * follow each other or, where those would be too many, a bit for each row. The values of a field belong to one of sixteen parts, by their names alone; what is read of a block for a value is one of them.
 */
const PARTS_OF_FIELD = 16;
export const MARK_PARTS = keyFields.length * PARTS_OF_FIELD;

/** Stands for a value. Two may have the same: whoever finds a row by it looks at the value. With a sign, as such numbers need no memory of their own. */
const hashOf = (field: KeyField, value: Value): number => crc32(`${field} ${value}`) | 0;
const partOf = (field: KeyField, hash: number): number =>
  keyFields.indexOf(field) * PARTS_OF_FIELD + (hash & (PARTS_OF_FIELD - 1));

// A part is numbers of four bytes: a sum of all others, how many rows lie in pieces, how many there are, how many values, of each its hash, where its marks begin and
// how many runs they are; then the marks. A run is where it begins and how many rows it has after the first, two bytes each.
const IN_PIECES = 1;
const ROWS = 2;
const VALUES = 3;
const HEAD_NUMBERS = 4;
const ENTRY_NUMBERS = 3;
/** In place of the number of runs, where there is a bit for each row. */
const BITS = 0xffffffff;
const wordsFor = (rows: number): number => Math.ceil(rows / 32);

type Owner = { readonly hash: number; readonly part: number; runs: number; at: number; last: number };

/** The parts that are not empty, by their numbers, of rows in the order of their pieces and one of each common kind. */
export function packMarks(
  { keys }: RowTable,
  inPieces: Uint32Array,
  common: Uint32Array,
): readonly (readonly [number, Uint8Array])[] {
  const order = new Uint32Array(inPieces.length + common.length);
  order.set(inPieces);
  order.set(common, inPieces.length);
  const ofRows = codesAt(keys.codes, order);
  return keyFields.flatMap((field, place) => {
    const { values, codes } = keys.fields[place]!;
    const owners = new Map<number, Owner>();
    const ownerOf = values.map((value) => {
      if (value === null) return undefined;
      const hash = hashOf(field, value);
      const owner = owners.get(hash) ?? { hash, part: partOf(field, hash), runs: 0, at: 0, last: -2 };
      owners.set(hash, owner);
      return owner;
    });
    return packField(codesAt(codes, ofRows), ownerOf, [...owners.values()], inPieces.length);
  });
}

function packField(
  codes: Uint32Array,
  ownerOf: readonly (Owner | undefined)[],
  owners: readonly Owner[],
  inPieces: number,
): readonly (readonly [number, Uint8Array])[] {
  const { length } = codes;
  const words = wordsFor(length);
  for (let row = 0, before: Owner | undefined; row < length; row += 1) {
    const owner = ownerOf[codes[row]!];
    if (owner && owner !== before) owner.runs += 1;
    before = owner;
  }
  const parts = new Map<number, Uint32Array>();
  for (const [part, group] of Map.groupBy(owners, (owner) => owner.part)) {
    let end = HEAD_NUMBERS + group.length * ENTRY_NUMBERS;
    const starts = group.map((owner) => {
      owner.at = end;
      end += Math.min(owner.runs, words);
      return owner.at;
    });
    const numbers = new Uint32Array(end);
    numbers[IN_PIECES] = inPieces;
    numbers[ROWS] = length;
    numbers[VALUES] = group.length;
    for (const [place, { hash, runs }] of group.entries())
      numbers.set([hash, starts[place]!, runs < words ? runs : BITS], HEAD_NUMBERS + place * ENTRY_NUMBERS);
    parts.set(part, numbers);
  }
  const numbersOf = ownerOf.map((owner) => owner && parts.get(owner.part)!);
  for (let row = 0; row < length; row += 1) {
    const owner = ownerOf[codes[row]!];
    if (!owner) continue;
    const numbers = numbersOf[codes[row]!]!;
    if (owner.runs >= words) numbers[owner.at + (row >> 5)]! |= 1 << (row & 31);
    else if (owner.last === row - 1) numbers[owner.at - 1]! += 1;
    else {
      numbers[owner.at] = row << 16;
      owner.at += 1;
    }
    owner.last = row;
  }
  return Array.from(parts, ([part, numbers]) => {
    const bytes = new Uint8Array(numbers.buffer);
    numbers[0] = crc32(bytes.subarray(4));
    return [part, bytes] as const;
  });
}

/** Where the marks of a wish are, and by which hashes. */
export type Marked = { readonly parts: readonly number[]; readonly hashes: ReadonlySet<number> };

export function markedBy([field, set]: Wanted): Marked {
  const hashes = new Set(Array.from(set, (value) => hashOf(field, value)));
  return { parts: [...new Set(Array.from(hashes, (hash) => partOf(field, hash)))], hashes };
}

/** Rows in their order. Those from `inPieces` on stand for their kinds. */
export type MarkedRows = { readonly rows: Uint16Array; readonly inPieces: number };

/** Rows that may have one of the values, all or of those that are given. */
export function rowsMarked(parts: readonly Uint32Array[], hashes: ReadonlySet<number>, given?: MarkedRows): MarkedRows {
  let [count, values, inPieces] = [0, 0, 0];
  for (const numbers of parts) {
    inPieces = numbers[IN_PIECES]!;
    for (let entry = HEAD_NUMBERS, left = numbers[VALUES]!; left > 0; left -= 1, entry += ENTRY_NUMBERS) {
      if (!hashes.has(numbers[entry]! | 0)) continue;
      const marks = { numbers, start: numbers[entry + 1]!, runs: numbers[entry + 2]! };
      count = given ? addThose(marks, given.rows, count) : addAll(marks, count);
      values += 1;
    }
  }
  const rows = found.slice(0, count);
  // No row has two of them.
  return { rows: values > 1 ? rows.sort() : rows, inPieces };
}

type MarksOfValue = { readonly numbers: Uint32Array; readonly start: number; readonly runs: number };

/** As many as two bytes can number. */
const found = new Uint16Array(2 ** 16);

/** Puts the rows of a value behind those that were found before. Gives how many they are then. */
function addAll({ numbers, start, runs }: MarksOfValue, before: number): number {
  let count = before;
  if (runs === BITS) {
    const words = wordsFor(numbers[ROWS]!);
    for (let word = 0; word < words; word += 1)
      for (let left = numbers[start + word]! | 0; left !== 0; left &= left - 1)
        found[count++] = word * 32 + 31 - Math.clz32(left & -left);
    return count;
  }
  for (let run = start; run < start + runs; run += 1) {
    const first = numbers[run]! >>> 16;
    const last = first + (numbers[run]! & 0xffff);
    for (let row = first; row <= last; row += 1) found[count++] = row;
  }
  return count;
}

/** The same, of some rows. */
function addThose({ numbers, start, runs }: MarksOfValue, rows: Uint16Array, before: number): number {
  const { length } = rows;
  let [count, place] = [before, 0];
  if (runs === BITS) {
    for (; place < length; place += 1) {
      const row = rows[place]!;
      found[count] = row;
      count += (numbers[start + (row >> 5)]! >>> (row & 31)) & 1;
    }
    return count;
  }
  for (let run = start; run < start + runs && place < length; run += 1) {
    const first = numbers[run]! >>> 16;
    const last = first + (numbers[run]! & 0xffff);
    while (place < length && rows[place]! < first) place += 1;
    for (; place < length && rows[place]! <= last; place += 1) found[count++] = rows[place]!;
  }
  return count;
}

/** A part, proven. */
export function openMarks(given: Uint8Array): Uint32Array {
  // Typed arrays can only look at bytes that begin at a multiple of their width.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  if (bytes.length < HEAD_NUMBERS * 4) throw new DamagedBytes();
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  if (numbers[0] !== crc32(bytes.subarray(4))) throw new DamagedBytes();
  return numbers;
}

import { crc32 } from 'node:zlib';
import type { Value } from './columns.ts';
import { DamagedBytes } from './damaged-bytes.ts';
import { type KeyField, keyFields, type RowTable } from './row.ts';
import type { Wanted } from './wanted.ts';

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
  const ofRows = new Uint32Array(order.length);
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
    for (let row = 0; row < order.length; row += 1) ofRows[row] = codes[keys.codes[order[row]!]!]!;
    return packField(ofRows, ownerOf, [...owners.values()], inPieces.length);
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

/** Which rows have a value, a bit for each. */
export type Marks = { readonly bits: Int32Array /** The others stand for their kinds. */; readonly inPieces: number };

/** Rows that may have one of the values; undefined if none has. `spare` is memory that may be used for them, where it is long enough. */
export function marksIn(
  parts: readonly Uint32Array[],
  hashes: ReadonlySet<number>,
  spare?: Int32Array,
): Marks | undefined {
  let marks: Marks | undefined;
  for (const numbers of parts) {
    for (let entry = HEAD_NUMBERS, left = numbers[VALUES]!; left > 0; left -= 1, entry += ENTRY_NUMBERS) {
      if (!hashes.has(numbers[entry]! | 0)) continue;
      marks ??= { bits: emptyBits(wordsFor(numbers[ROWS]!), spare), inPieces: numbers[IN_PIECES]! };
      mark(marks.bits, numbers, numbers[entry + 1]!, numbers[entry + 2]!);
    }
  }
  return marks;
}

function emptyBits(words: number, spare: Int32Array | undefined): Int32Array {
  return spare && words <= spare.length ? spare.fill(0, 0, words) : new Int32Array(words);
}

function mark(bits: Int32Array, numbers: Uint32Array, start: number, runs: number): void {
  if (runs !== BITS) for (let run = start; run < start + runs; run += 1) markRun(bits, numbers[run]!);
  else {
    const words = wordsFor(numbers[ROWS]!);
    for (let word = 0; word < words; word += 1) bits[word]! |= numbers[start + word]!;
  }
}

/** Word by word: runs of what most rows have are long. */
function markRun(bits: Int32Array, run: number): void {
  const first = run >>> 16;
  const last = first + (run & 0xffff);
  let bitsOfWord = ALL << (first & 31);
  for (let word = first >> 5; word < last >> 5; word += 1) {
    bits[word]! |= bitsOfWord;
    bitsOfWord = ALL;
  }
  bits[last >> 5]! |= bitsOfWord & (ALL >>> (31 - (last & 31)));
}
const ALL = -1;

/** A part, proven. */
export function openMarks(given: Uint8Array): Uint32Array {
  // Typed arrays can only look at bytes that begin at a multiple of their width.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  if (bytes.length < HEAD_NUMBERS * 4) throw new DamagedBytes();
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  if (numbers[0] !== crc32(bytes.subarray(4))) throw new DamagedBytes();
  return numbers;
}

/** Leaves the rows that both have. Gives how many there are, or any larger number than `most`, if they are more. */
export function leaveCommon({ bits }: Marks, { bits: others }: Marks, most: number): number {
  let words = 0;
  for (let word = 0; word < bits.length; word += 1) {
    const left = bits[word]! & others[word]!;
    bits[word] = left;
    if (left !== 0) words += 1;
  }
  if (words > most) return words;
  let rows = 0;
  for (const left of bits) for (let bit = left; bit !== 0; bit &= bit - 1) rows += 1;
  return rows;
}

export function rowsIn({ bits }: Marks): readonly number[] {
  const rows: number[] = [];
  for (let word = 0; word < bits.length; word += 1)
    for (let left = bits[word]!; left !== 0; left &= left - 1) rows.push(word * 32 + 31 - Math.clz32(left & -left));
  return rows;
}

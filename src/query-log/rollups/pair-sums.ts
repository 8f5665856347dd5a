import { largest } from './rollup.ts';

const FIRST_ROOM = 1024;
// Odd and large; they spread neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const [SPREAD, OTHER_SPREAD] = [2654435761, 2246822519];

/** Number of queries and time of the last one, per pair of ids. */
export type PairSums = {
  room: number;
  /** Two slots per pair; 0 is empty. */
  table: Uint32Array;
  /** Interleaved: [one, other, queries, last] per pair. */
  sums: Uint32Array;
  size: number;
};

export const pairSums = (): PairSums => ({
  room: FIRST_ROOM,
  table: new Uint32Array(FIRST_ROOM * 2),
  sums: new Uint32Array(FIRST_ROOM * 4),
  size: 0,
});

function placeOf(one: number, other: number, table: Uint32Array): number {
  const hash = Math.imul(one, SPREAD) ^ Math.imul(other, OTHER_SPREAD);
  return (hash ^ (hash >>> 15)) & (table.length - 1);
}

function emptyPlace(one: number, other: number, table: Uint32Array): number {
  let place = placeOf(one, other, table);
  while (table[place] !== 0) place = (place + 1) & (table.length - 1);
  return place;
}

function grow(all: PairSums): void {
  const sums = new Uint32Array(all.sums.length * 2);
  sums.set(all.sums);
  const table = new Uint32Array(all.table.length * 2);
  for (let pair = 0; pair < all.size; pair += 1)
    table[emptyPlace(sums[pair * 4]!, sums[pair * 4 + 1]!, table)] = pair + 1;
  all.room *= 2;
  all.sums = sums;
  all.table = table;
}

export function addPair(all: PairSums, one: number, other: number, queries: number, last: number): void {
  let { table, sums } = all;
  let place = placeOf(one, other, table);
  let at = (table[place]! - 1) * 4;
  while (at >= 0 && (sums[at + 1] !== other || sums[at] !== one)) {
    place = (place + 1) & (table.length - 1);
    at = (table[place]! - 1) * 4;
  }
  if (at < 0) {
    if (all.size === all.room) {
      grow(all);
      ({ table, sums } = all);
      place = emptyPlace(one, other, table);
    }
    at = all.size * 4;
    all.size += 1;
    table[place] = all.size;
    sums[at] = one;
    sums[at + 1] = other;
  }
  sums[at + 2]! += queries;
  if (last > sums[at + 3]!) sums[at + 3] = last;
}

/** Columns in the order of insertion. */
export const pairColumns = (all: PairSums): Readonly<Record<'ones' | 'others' | 'queries' | 'last', Uint32Array>> => ({
  ones: column(all, 0),
  others: column(all, 1),
  queries: column(all, 2),
  last: column(all, 3),
});

function column({ sums, size }: PairSums, at: number): Uint32Array {
  const own = new Uint32Array(size);
  for (let pair = 0; pair < size; pair += 1) own[pair] = sums[pair * 4 + at]!;
  return own;
}

/** Keeps the `count` pairs with the most queries; the second id of the others becomes `givenUp`. */
export function withLargest(sums: PairSums, count: number, givenUp: number): PairSums {
  const { ones, others, queries, last } = pairColumns(sums);
  const isKept = largest({ queries, length: ones.length }, count);
  const left = pairSums();
  for (let pair = 0; pair < isKept.length; pair += 1)
    addPair(left, ones[pair]!, isKept[pair] === 1 ? others[pair]! : givenUp, queries[pair]!, last[pair]!);
  return left;
}

import { createTupleDictionary, encodeTuple, type TupleDictionary, tupleColumn } from '../segments/tuple-dictionary.ts';
import { largest } from './rollup.ts';

const FIRST_ROOM = 1024;

/** Number of queries and time of the last one, per pair of ids. */
export type PairSums = {
  readonly pairs: TupleDictionary;
  /** Interleaved: [queries, last] per pair. */
  sums: Uint32Array;
};

export const pairSums = (): PairSums => ({
  pairs: createTupleDictionary(2, FIRST_ROOM),
  sums: new Uint32Array(FIRST_ROOM * 2),
});

function grow(all: PairSums): void {
  const sums = new Uint32Array(all.sums.length * 2);
  sums.set(all.sums);
  all.sums = sums;
}

export function addPair(all: PairSums, one: number, other: number, queries: number, last: number): void {
  const { pairs } = all;
  pairs.input[0] = one;
  pairs.input[1] = other;
  const at = encodeTuple(pairs) * 2;
  if (at === all.sums.length) grow(all);
  const { sums } = all;
  sums[at]! += queries;
  if (last > sums[at + 1]!) sums[at + 1] = last;
}

/** Columns in the order of insertion. */
export const pairColumns = (all: PairSums): Readonly<Record<'ones' | 'others' | 'queries' | 'last', Uint32Array>> => ({
  ones: tupleColumn(all.pairs, 0),
  others: tupleColumn(all.pairs, 1),
  queries: column(all, 0),
  last: column(all, 1),
});

function column({ sums, pairs: { size } }: PairSums, at: number): Uint32Array {
  const values = new Uint32Array(size);
  for (let pair = 0; pair < size; pair += 1) values[pair] = sums[pair * 2 + at]!;
  return values;
}

/** Keeps the `count` pairs with the most queries; the second id of the others becomes `dropped`. */
export function withLargest(sums: PairSums, count: number, dropped: number): PairSums {
  const { ones, others, queries, last } = pairColumns(sums);
  const isKept = largest({ queries, length: ones.length }, count);
  const left = pairSums();
  for (let pair = 0; pair < isKept.length; pair += 1)
    addPair(left, ones[pair]!, isKept[pair] === 1 ? others[pair]! : dropped, queries[pair]!, last[pair]!);
  return left;
}

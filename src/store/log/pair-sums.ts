import { largest } from './tally.ts';

const FIRST_ROOM = 1024;
// Odd and large; they spread neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const [SPREAD, OTHER_SPREAD] = [2654435761, 2246822519];

/** Queries by pairs of numbers, and when the last of each was. */
export type PairSums = {
  readonly add: (one: number, other: number, queries: number, last: number) => void;
  readonly size: () => number;
  /** By the numbers of the pairs, in the order they were met; to be read before anything is added again. */
  readonly columns: () => PairColumns;
};
type PairColumns = Readonly<Record<'ones' | 'others' | 'queries' | 'last', Uint32Array>>;

export function pairSums(): PairSums {
  let room = FIRST_ROOM;
  // Two places for each pair there is room for; 0 is an empty one.
  let table = new Uint32Array(room * 2);
  // A pair and its sums side by side: they are needed together.
  let sums = new Uint32Array(room * 4);
  let size = 0;

  const placeOf = (one: number, other: number): number => {
    const hash = Math.imul(one, SPREAD) ^ Math.imul(other, OTHER_SPREAD);
    return (hash ^ (hash >>> 15)) & (table.length - 1);
  };
  const grow = (): void => {
    room *= 2;
    const larger = new Uint32Array(room * 4);
    larger.set(sums);
    sums = larger;
    table = new Uint32Array(room * 2);
    for (let pair = 0; pair < size; pair += 1) {
      let place = placeOf(sums[pair * 4]!, sums[pair * 4 + 1]!);
      while (table[place] !== 0) place = (place + 1) & (table.length - 1);
      table[place] = pair + 1;
    }
  };
  const column = (at: number): Uint32Array => {
    const own = new Uint32Array(size);
    for (let pair = 0; pair < size; pair += 1) own[pair] = sums[pair * 4 + at]!;
    return own;
  };

  return {
    add(one, other, queries, last) {
      let place = placeOf(one, other);
      let at = (table[place]! - 1) * 4;
      while (at >= 0 && (sums[at + 1] !== other || sums[at] !== one)) {
        place = (place + 1) & (table.length - 1);
        at = (table[place]! - 1) * 4;
      }
      if (at < 0) {
        if (size === room) {
          grow();
          place = placeOf(one, other);
          while (table[place] !== 0) place = (place + 1) & (table.length - 1);
        }
        at = size * 4;
        size += 1;
        table[place] = size;
        sums[at] = one;
        sums[at + 1] = other;
      }
      sums[at + 2]! += queries;
      if (last > sums[at + 3]!) sums[at + 3] = last;
    },
    size: () => size,
    columns: () => ({ ones: column(0), others: column(1), queries: column(2), last: column(3) }),
  };
}

/** The same sums with only so many pairs as they are, those with most queries; of the rest the second number is given up. */
export function withLargest(sums: PairSums, count: number, givenUp: number): PairSums {
  const { ones, others, queries, last } = sums.columns();
  const isKept = largest({ queries, length: ones.length }, count);
  const left = pairSums();
  for (let pair = 0; pair < isKept.length; pair += 1)
    left.add(ones[pair]!, isKept[pair] === 1 ? others[pair]! : givenUp, queries[pair]!, last[pair]!);
  return left;
}

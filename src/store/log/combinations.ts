const LEAST_SIZE = 16;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;

/** Numbers the different combinations of seven small whole numbers, in the order they are met. */
export type Combinations = {
  readonly of: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => number;
  readonly size: () => number;
  /** The number at this place of every combination. */
  readonly column: (place: number) => Uint32Array;
};

const WIDTH = 7;
type Seven = [number, number, number, number, number, number, number];

// Written out, because it is asked for every row.
function hashOf(a: number, b: number, c: number, d: number, e: number, f: number, g: number): number {
  let hash = Math.imul(a, SPREAD);
  hash = Math.imul(hash ^ b, SPREAD);
  hash = Math.imul(hash ^ c, SPREAD);
  hash = Math.imul(hash ^ d, SPREAD);
  hash = Math.imul(hash ^ e, SPREAD);
  hash = Math.imul(hash ^ f, SPREAD);
  return Math.imul(hash ^ g, SPREAD);
}

/**
 * A table of our own, because a Map needs one key: joining seven numbers to a text for each of the millions of rows
 * takes four times as long as everything else that is done with them.
 */
export function combinations(expected: number): Combinations {
  const firstSize = 2 ** Math.ceil(Math.log2(Math.max(LEAST_SIZE, expected + 1)));
  let members = new Uint32Array(firstSize * WIDTH);
  // Two places for each combination there is room for; 0 is an empty one.
  let table = new Uint32Array(firstSize * 2);
  let size = 0;

  const placeFor = (hash: number): number => (hash ^ (hash >>> 15)) & (table.length - 1);
  const grow = (): void => {
    const larger = new Uint32Array(members.length * 2);
    larger.set(members);
    members = larger;
    table = new Uint32Array(table.length * 2);
    for (let number = 0; number < size; number += 1) {
      const [a, b, c, d, e, f, g] = members.subarray(number * WIDTH) as unknown as Seven;
      let place = placeFor(hashOf(a, b, c, d, e, f, g));
      while (table[place] !== 0) place = (place + 1) & (table.length - 1);
      table[place] = number + 1;
    }
  };

  return {
    of(a, b, c, d, e, f, g) {
      if ((size + 1) * WIDTH > members.length) grow();
      let place = placeFor(hashOf(a, b, c, d, e, f, g));
      for (; table[place] !== 0; place = (place + 1) & (table.length - 1)) {
        const at = (table[place]! - 1) * WIDTH;
        if (
          members[at] === a &&
          members[at + 1] === b &&
          members[at + 2] === c &&
          members[at + 3] === d &&
          members[at + 4] === e &&
          members[at + 5] === f &&
          members[at + 6] === g
        )
          return table[place]! - 1;
      }
      const next = size * WIDTH;
      members[next] = a;
      members[next + 1] = b;
      members[next + 2] = c;
      members[next + 3] = d;
      members[next + 4] = e;
      members[next + 5] = f;
      members[next + 6] = g;
      size += 1;
      table[place] = size;
      return size - 1;
    },
    size: () => size,
    column(place) {
      const column = new Uint32Array(size);
      for (let number = 0; number < size; number += 1) column[number] = members[number * WIDTH + place]!;
      return column;
    },
  };
}

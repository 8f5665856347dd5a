const LEAST_SIZE = 16;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;

/**
 * Distinct tuples of seven small integers; the code of a tuple is its index. An own hash table: building a string key
 * for a Map per row takes four times as long as all other work on the row.
 */
export type TupleDictionary = {
  members: Uint32Array;
  /** Two slots per tuple; 0 is empty. */
  table: Uint32Array;
  size: number;
};

const WIDTH = 7;
type Seven = [number, number, number, number, number, number, number];

export function createTupleDictionary(expected: number): TupleDictionary {
  const room = 2 ** Math.ceil(Math.log2(Math.max(LEAST_SIZE, expected + 1)));
  return { members: new Uint32Array(room * WIDTH), table: new Uint32Array(room * 2), size: 0 };
}

// Unrolled, because it runs for every row.
function hashOf(a: number, b: number, c: number, d: number, e: number, f: number, g: number): number {
  let hash = Math.imul(a, SPREAD);
  hash = Math.imul(hash ^ b, SPREAD);
  hash = Math.imul(hash ^ c, SPREAD);
  hash = Math.imul(hash ^ d, SPREAD);
  hash = Math.imul(hash ^ e, SPREAD);
  hash = Math.imul(hash ^ f, SPREAD);
  return Math.imul(hash ^ g, SPREAD);
}

const placeFor = (hash: number, table: Uint32Array): number => (hash ^ (hash >>> 15)) & (table.length - 1);

function grow(known: TupleDictionary): void {
  const members = new Uint32Array(known.members.length * 2);
  members.set(known.members);
  const table = new Uint32Array(known.table.length * 2);
  for (let number = 0; number < known.size; number += 1) {
    const [a, b, c, d, e, f, g] = members.subarray(number * WIDTH) as unknown as Seven;
    let place = placeFor(hashOf(a, b, c, d, e, f, g), table);
    while (table[place] !== 0) place = (place + 1) & (table.length - 1);
    table[place] = number + 1;
  }
  known.members = members;
  known.table = table;
}

/** The code of a tuple, in order of first occurrence. */
export function tupleCode(
  known: TupleDictionary,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
): number {
  if ((known.size + 1) * WIDTH > known.members.length) grow(known);
  const { members, table } = known;
  let place = placeFor(hashOf(a, b, c, d, e, f, g), table);
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
  const next = known.size * WIDTH;
  members[next] = a;
  members[next + 1] = b;
  members[next + 2] = c;
  members[next + 3] = d;
  members[next + 4] = e;
  members[next + 5] = f;
  members[next + 6] = g;
  known.size += 1;
  table[place] = known.size;
  return known.size - 1;
}

/** One field of all tuples. */
export function tupleColumn({ members, size }: TupleDictionary, place: number): Uint32Array {
  const column = new Uint32Array(size);
  for (let number = 0; number < size; number += 1) column[number] = members[number * WIDTH + place]!;
  return column;
}

const FIRST_ROOM = 64;
const LEAST_ROOM = 16;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;

/**
 * Distinct tuples of `width` small integers; the code of a tuple is its index. An own hash table: building a string key
 * for a Map per row takes four times as long as all other work on the row.
 */
export type TupleDictionary = {
  readonly width: number;
  /** The tuple to look up, written by the caller. */
  readonly input: Uint32Array;
  members: Uint32Array;
  /** Two slots per tuple; 0 is empty. */
  table: Uint32Array;
  size: number;
};

/** `expected`: number of tuples that fit without growing. */
export function createTupleDictionary(width: number, expected = FIRST_ROOM - 1): TupleDictionary {
  const room = 2 ** Math.ceil(Math.log2(Math.max(LEAST_ROOM, expected + 1)));
  return {
    width,
    input: new Uint32Array(width),
    members: new Uint32Array(room * width),
    table: new Uint32Array(room * 2),
    size: 0,
  };
}

function hashAt(of: Uint32Array, start: number, width: number): number {
  let hash = 0;
  for (let place = start; place < start + width; place += 1) hash = Math.imul(hash ^ of[place]!, SPREAD);
  return hash ^ (hash >>> 15);
}

function isAt(members: Uint32Array, start: number, input: Uint32Array): boolean {
  for (let place = 0; place < input.length; place += 1) if (members[start + place] !== input[place]) return false;
  return true;
}

function grow(dictionary: TupleDictionary): void {
  const { width } = dictionary;
  const members = new Uint32Array(dictionary.members.length * 2);
  members.set(dictionary.members);
  const table = new Uint32Array(dictionary.table.length * 2);
  for (let code = 0; code < dictionary.size; code += 1) {
    let slot = hashAt(members, code * width, width) & (table.length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = code + 1;
  }
  dictionary.members = members;
  dictionary.table = table;
}

/** The code of the tuple in `input`, in order of first occurrence. */
export function encodeTuple(dictionary: TupleDictionary): number {
  if (dictionary.size * 2 === dictionary.table.length) grow(dictionary);
  const { width, input, members, table, size } = dictionary;
  let slot = hashAt(input, 0, width) & (table.length - 1);
  for (; table[slot] !== 0; slot = (slot + 1) & (table.length - 1))
    if (isAt(members, (table[slot]! - 1) * width, input)) return table[slot]! - 1;
  for (let place = 0; place < width; place += 1) members[size * width + place] = input[place]!;
  dictionary.size += 1;
  table[slot] = dictionary.size;
  return size;
}

/** One field of all tuples. */
export function tupleColumn({ members, size, width }: TupleDictionary, place: number): Uint32Array {
  const column = new Uint32Array(size);
  for (let code = 0; code < size; code += 1) column[code] = members[code * width + place]!;
  return column;
}

/**
 * Assigns ids to runs of 32-bit words, in order of first occurrence: equal words have equal ids. The hash table of the query log:
 * building a string key for a Map per row takes four times as long as all other work on the row.
 */
export type Interner = {
  /** Buffer for the words to look up; written by the caller. */
  readonly input: Int32Array;
  /** The id of the first `length` words of `input`; `UNKNOWN` if they have none. */
  readonly find: (length: number) => number;
  /** Assigns the next id to the words of the last failed `find`. */
  readonly add: () => number;
  readonly count: () => number;
  /** The words of all entries, in the order of their ids. Valid until the next `add`. */
  readonly words: () => Int32Array;
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

export const UNKNOWN = -1;

const FIRST_COUNT = 64;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;
// Hash, id + 1, start and length of an entry are adjacent, so a lookup touches one cache line. Id + 1 is 0 in an empty slot.
const [NEXT_ID, START, LENGTH] = [1, 2, 3];
const SLOT_BITS = 2;

type InternerLimits = {
  /** Words of the longest entry. */
  readonly maxLength: number;
  /** Entries that fit without growing. */
  readonly expected?: number;
  readonly maxCount?: number;
  readonly maxWords?: number;
};

export function createInterner(limits: InternerLimits): Interner {
  const { maxLength, expected = FIRST_COUNT, maxCount = Infinity, maxWords = Infinity } = limits;
  const room = 2 ** Math.ceil(Math.log2(Math.max(1, expected)));
  let mask = room * 2 - 1;
  let table = new Int32Array((mask + 1) << SLOT_BITS);
  const input = new Int32Array(maxLength);
  let all = new Int32Array(Math.max(1, room * Math.min(maxLength, 8)));
  let [count, end] = [0, 0];
  let [length, hash, slot] = [0, 0, 0];

  const isAt = (start: number): boolean => {
    for (let i = 0; i < length; i++) if (all[start + i] !== input[i]) return false;
    return true;
  };
  const growWords = (): void => {
    const larger = new Int32Array(all.length * 2);
    larger.set(all);
    all = larger;
  };
  const emptySlot = (of: number): number => {
    let at = of & mask;
    while (table[(at << SLOT_BITS) + NEXT_ID] !== 0) at = (at + 1) & mask;
    return at << SLOT_BITS;
  };
  const growTable = (): void => {
    const old = table;
    table = new Int32Array(old.length * 2);
    mask = mask * 2 + 1;
    for (let from = 0; from < old.length; from += 1 << SLOT_BITS) {
      if (old[from + NEXT_ID] === 0) continue;
      const to = emptySlot(old[from]!);
      for (let i = 0; i <= LENGTH; i++) table[to + i] = old[from + i]!;
    }
  };

  return {
    input,
    find(inputLength) {
      length = inputLength;
      hash = length;
      for (let i = 0; i < length; i++) {
        hash = Math.imul(hash ^ input[i]!, SPREAD);
        hash ^= hash >>> 15;
      }
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        slot = at << SLOT_BITS;
        const nextId = table[slot + NEXT_ID]!;
        if (nextId === 0) return UNKNOWN;
        if (table[slot] === hash && table[slot + LENGTH] === length && isAt(table[slot + START]!)) return nextId - 1;
      }
    },
    add() {
      while (end + length > all.length) growWords();
      // At most half of the slots are used.
      if (count * 2 > mask) {
        growTable();
        slot = emptySlot(hash);
      }
      for (let i = 0; i < length; i++) all[end + i] = input[i]!;
      count += 1;
      table[slot] = hash;
      table[slot + NEXT_ID] = count;
      table[slot + START] = end;
      table[slot + LENGTH] = length;
      end += length;
      return count - 1;
    },
    count: () => count,
    words: () => all,
    isFull: () => count === maxCount || end + maxLength > maxWords,
    clear() {
      table.fill(0);
      [count, end] = [0, 0];
    },
  };
}

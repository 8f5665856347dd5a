/** Assigns ids to runs of 32-bit words: equal words have equal ids. */
export type Interner = {
  /** Buffer for the words to look up. */
  readonly input: Int32Array;
  readonly hashOf: (start: number, length: number) => number;
  /** Touches the memory that the look-ups will need, so cache misses overlap. */
  readonly prefetch: (hashes: Int32Array, count: number) => number;
  /** The id of the words at `start`; `UNKNOWN` if they have none. */
  readonly find: (start: number, length: number, hash: number) => number;
  /** Assigns the next id to the words of the last failed `find`. */
  readonly add: () => number;
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

export const UNKNOWN = -1;

const FIRST_WORDS = 2 ** 14;
/** Maximum length of one entry. */
const MAX_INPUT_WORDS = 1024;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;
// Hash, id, start and length of an entry are adjacent, so a look-up touches one cache line.
const [NUMBER, START, LENGTH] = [1, 2, 3];
const PLACE_BITS = 2;

type InternerLimits = {
  /** A power of two. */
  readonly maxCount: number;
  readonly maxWords: number;
  /** Entries that fit into `input`. */
  readonly atOnce: number;
};

export function createInterner({ maxCount, maxWords, atOnce }: InternerLimits): Interner {
  const mask = maxCount * 2 - 1;
  // Length 0 marks an empty slot.
  const table = new Int32Array((mask + 1) << PLACE_BITS);
  const input = new Int32Array(atOnce * MAX_INPUT_WORDS);
  let all = new Int32Array(FIRST_WORDS);
  let [count, end] = [0, 0];
  let [from, length, hash, place] = [0, 0, 0, 0];

  const isAt = (start: number): boolean => {
    for (let i = 0; i < length; i++) if (all[start + i] !== input[from + i]) return false;
    return true;
  };
  const grow = (): void => {
    const larger = new Int32Array(all.length * 2);
    larger.set(all);
    all = larger;
  };

  return {
    input,
    hashOf(start, inputLength) {
      let own = inputLength;
      for (let i = 0; i < inputLength; i++) {
        own = Math.imul(own ^ input[start + i]!, SPREAD);
        own ^= own >>> 15;
      }
      return own;
    },
    prefetch(hashes, hashCount) {
      // The result is unused, but the compiler removes reads without one.
      let readings = 0;
      for (let i = 0; i < hashCount; i++) readings ^= table[(hashes[i]! & mask) << PLACE_BITS]!;
      for (let i = 0; i < hashCount; i++) readings ^= all[table[((hashes[i]! & mask) << PLACE_BITS) + START]!]!;
      return readings;
    },
    find(start, inputLength, inputHash) {
      from = start;
      length = inputLength;
      hash = inputHash;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        place = slot << PLACE_BITS;
        if (table[place + LENGTH] === 0) return UNKNOWN;
        if (table[place] === hash && table[place + LENGTH] === length && isAt(table[place + START]!))
          return table[place + NUMBER]!;
      }
    },
    add() {
      while (end + length > all.length) grow();
      for (let i = 0; i < length; i++) all[end + i] = input[from + i]!;
      table[place] = hash;
      table[place + NUMBER] = count;
      table[place + START] = end;
      table[place + LENGTH] = length;
      end += length;
      count += 1;
      return count - 1;
    },
    isFull: () => count === maxCount || end + MAX_INPUT_WORDS > maxWords,
    clear() {
      table.fill(0);
      [count, end] = [0, 0];
    },
  };
}

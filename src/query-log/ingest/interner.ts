/** Assigns ids to runs of 32-bit words: equal words have equal ids. */
export type Interner = {
  /** Buffer for the words to look up; written by the caller. */
  readonly input: Int32Array;
  /** The id of the first `length` words of `input`; `UNKNOWN` if they have none. */
  readonly find: (length: number) => number;
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
};

export function createInterner({ maxCount, maxWords }: InternerLimits): Interner {
  const mask = maxCount * 2 - 1;
  // Length 0 marks an empty slot.
  const table = new Int32Array((mask + 1) << PLACE_BITS);
  const input = new Int32Array(MAX_INPUT_WORDS);
  let all = new Int32Array(FIRST_WORDS);
  let [count, end] = [0, 0];
  let [length, hash, place] = [0, 0, 0];

  const isAt = (start: number): boolean => {
    for (let i = 0; i < length; i++) if (all[start + i] !== input[i]) return false;
    return true;
  };
  const grow = (): void => {
    const larger = new Int32Array(all.length * 2);
    larger.set(all);
    all = larger;
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
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        place = slot << PLACE_BITS;
        if (table[place + LENGTH] === 0) return UNKNOWN;
        if (table[place] === hash && table[place + LENGTH] === length && isAt(table[place + START]!))
          return table[place + NUMBER]!;
      }
    },
    add() {
      while (end + length > all.length) grow();
      for (let i = 0; i < length; i++) all[end + i] = input[i]!;
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

/** Numbers for runs of words (of four bytes): the same words have the same number. */
export type KnownWords = {
  /** What is looked for is written here, from the first word on. */
  readonly wanted: Int32Array;
  /** The number of the first so many wanted words; `UNKNOWN` when they have none yet. */
  readonly find: (length: number) => number;
  /** Gives the next number to what was looked for last and was not found. */
  readonly add: () => number;
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

export const UNKNOWN = -1;

const FIRST_WORDS = 2 ** 14;
/** As many words as can be looked for. */
const ROOM = 1024;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;
// A hash, the number and where its words are, side by side: a look-up touches one line of the processor's cache for all of them.
const [NUMBER, START, LENGTH] = [1, 2, 3];
const PLACE_BITS = 2;

/** `maxCount`: a power of two. */
export function createKnownWords({ maxCount, maxWords }: { maxCount: number; maxWords: number }): KnownWords {
  const mask = maxCount * 2 - 1;
  // A length of 0 is an empty place.
  const table = new Int32Array((mask + 1) << PLACE_BITS);
  const wanted = new Int32Array(ROOM);
  let all = new Int32Array(FIRST_WORDS);
  let [count, end] = [0, 0];
  let [length, hash, place] = [0, 0, 0];

  const isAt = (start: number): boolean => {
    for (let i = 0; i < length; i++) if (all[start + i] !== wanted[i]) return false;
    return true;
  };
  const grow = (): void => {
    const larger = new Int32Array(all.length * 2);
    larger.set(all);
    all = larger;
  };

  return {
    wanted,
    find(wantedLength) {
      length = wantedLength;
      hash = length;
      for (let i = 0; i < length; i++) {
        hash = Math.imul(hash ^ wanted[i]!, SPREAD);
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
      for (let i = 0; i < length; i++) all[end + i] = wanted[i]!;
      table[place] = hash;
      table[place + NUMBER] = count;
      table[place + START] = end;
      table[place + LENGTH] = length;
      end += length;
      count += 1;
      return count - 1;
    },
    isFull: () => count === maxCount || end + ROOM > maxWords,
    clear() {
      table.fill(0);
      [count, end] = [0, 0];
    },
  };
}

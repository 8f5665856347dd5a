/** Numbers for runs of words (of four bytes): the same words have the same number. */
export type Interner = {
  /** What is looked for is written here; there is room for several. */
  readonly wanted: Int32Array;
  readonly hashOf: (start: number, length: number) => number;
  /** Reads ahead what looking for these will need: so it waits for memory once, and not each time. */
  readonly prefetch: (hashes: Int32Array, count: number) => number;
  /** The number of so many wanted words; `UNKNOWN` when they have none yet. */
  readonly find: (start: number, length: number, hash: number) => number;
  /** Gives the next number to what was looked for last and was not found. */
  readonly add: () => number;
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

export const UNKNOWN = -1;

const FIRST_WORDS = 2 ** 14;
/** As many words as one that is looked for has at most. */
const MAX_WANTED_WORDS = 1024;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;
// A hash, the number and where its words are, side by side: a look-up touches one line of the processor's cache for all of them.
const [NUMBER, START, LENGTH] = [1, 2, 3];
const PLACE_BITS = 2;

type InternerLimits = {
  /** A power of two. */
  readonly maxCount: number;
  readonly maxWords: number;
  /** How many are looked for at once. */
  readonly atOnce: number;
};

export function createInterner({ maxCount, maxWords, atOnce }: InternerLimits): Interner {
  const mask = maxCount * 2 - 1;
  // A length of 0 is an empty place.
  const table = new Int32Array((mask + 1) << PLACE_BITS);
  const wanted = new Int32Array(atOnce * MAX_WANTED_WORDS);
  let all = new Int32Array(FIRST_WORDS);
  let [count, end] = [0, 0];
  let [from, length, hash, place] = [0, 0, 0, 0];

  const isAt = (start: number): boolean => {
    for (let i = 0; i < length; i++) if (all[start + i] !== wanted[from + i]) return false;
    return true;
  };
  const grow = (): void => {
    const larger = new Int32Array(all.length * 2);
    larger.set(all);
    all = larger;
  };

  return {
    wanted,
    hashOf(start, wantedLength) {
      let own = wantedLength;
      for (let i = 0; i < wantedLength; i++) {
        own = Math.imul(own ^ wanted[start + i]!, SPREAD);
        own ^= own >>> 15;
      }
      return own;
    },
    prefetch(hashes, hashCount) {
      // Nobody needs what it gives, but reads whose outcome goes nowhere would not be compiled.
      let readings = 0;
      for (let i = 0; i < hashCount; i++) readings ^= table[(hashes[i]! & mask) << PLACE_BITS]!;
      for (let i = 0; i < hashCount; i++) readings ^= all[table[((hashes[i]! & mask) << PLACE_BITS) + START]!]!;
      return readings;
    },
    find(start, wantedLength, wantedHash) {
      from = start;
      length = wantedLength;
      hash = wantedHash;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        place = slot << PLACE_BITS;
        if (table[place + LENGTH] === 0) return UNKNOWN;
        if (table[place] === hash && table[place + LENGTH] === length && isAt(table[place + START]!))
          return table[place + NUMBER]!;
      }
    },
    add() {
      while (end + length > all.length) grow();
      for (let i = 0; i < length; i++) all[end + i] = wanted[from + i]!;
      table[place] = hash;
      table[place + NUMBER] = count;
      table[place + START] = end;
      table[place + LENGTH] = length;
      end += length;
      count += 1;
      return count - 1;
    },
    isFull: () => count === maxCount || end + MAX_WANTED_WORDS > maxWords,
    clear() {
      table.fill(0);
      [count, end] = [0, 0];
    },
  };
}

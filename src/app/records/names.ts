import { nameText } from '../../kit/wire-name.ts';

/** Numbers for the names of queries: most are asked for again and again, and what is known of one is found once. */
export type Names = {
  /** The number of a name as it stands on the wire; -1 when there is no room for another. */
  readonly of: (bytes: Uint8Array, length: number) => number;
  /** In lower case, without a dot at the end. */
  readonly domain: (name: number) => string;
  readonly count: () => number;
  readonly clear: () => void;
};

export const MAX_NAMES = 65_536;
const MAX_BYTES = 4 * 2 ** 20;
const PLACES = MAX_NAMES * 2;
// FNV-1a.
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193];
const DOT = 0x2e;

export function createNames(): Names {
  const table = new Int32Array(PLACES);
  const hashes = new Int32Array(MAX_NAMES);
  const starts = new Uint32Array(MAX_NAMES + 1);
  const all = new Uint8Array(MAX_BYTES);
  const domains: string[] = [];
  const folded = new Uint8Array(256);
  const written = Buffer.alloc(256);

  const isAt = (name: number, length: number): boolean => {
    const start = starts[name]!;
    if (starts[name + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (all[start + i] !== folded[i]) return false;
    return true;
  };

  /** Names of letters, digits and hyphens are their bytes with dots between labels. */
  const textOf = (length: number): string => {
    for (let label = 0; label < length - 1; label += folded[label]! + 1) {
      written[label] = DOT;
      for (let i = label + 1; i <= label + folded[label]!; i++) {
        if (!isPlain(folded[i]!)) return nameText(folded, 0);
        written[i] = folded[i]!;
      }
    }
    return length === 1 ? '.' : written.toString('latin1', 1, length - 1);
  };

  return {
    of(bytes, length) {
      let hash = BASIS;
      for (let i = 0; i < length; i++) {
        const byte = bytes[i]!;
        const low = byte > 0x40 && byte < 0x5b ? byte | 0x20 : byte;
        folded[i] = low;
        hash = Math.imul(hash ^ low, PRIME);
      }
      let place = (hash ^ (hash >>> 15)) & (PLACES - 1);
      for (; table[place] !== 0; place = (place + 1) & (PLACES - 1)) {
        const name = table[place]! - 1;
        if (hashes[name] === hash && isAt(name, length)) return name;
      }
      const name = domains.length;
      const start = starts[name]!;
      if (name === MAX_NAMES || start + length > MAX_BYTES) return -1;
      all.set(folded.subarray(0, length), start);
      starts[name + 1] = start + length;
      hashes[name] = hash;
      table[place] = domains.push(textOf(length));
      return name;
    },
    domain: (name) => domains[name]!,
    count: () => domains.length,
    clear() {
      table.fill(0);
      domains.length = 0;
    },
  };
}

/** Lengths of labels are below the letters, but not below hyphens and digits: they never come here. */
const isPlain = (byte: number): boolean =>
  (byte > 0x60 && byte < 0x7b) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;

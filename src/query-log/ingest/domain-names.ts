import { nameText } from '../../kit/wire-name.ts';
import type { EncodedValues, Value } from '../segments/columns.ts';
import type { NameColumn } from '../segments/row.ts';
import { compactCodes, valuesAt } from '../segments/tuples.ts';
import { inLowerCase } from './record-fields.ts';

/** Interns query names: most repeat often, and their text and company are found once. */
export type DomainNames = {
  /** The id of a name in wire format. A new name needs room: check `isFull` first. */
  readonly of: (bytes: Uint8Array, length: number) => number;
  /** All names by id, in lower case, without a trailing dot. A new array after `clear`. */
  readonly domains: () => readonly string[];
  /** The column of names of some rows. */
  readonly used: (ofRows: Uint32Array) => NameColumn;
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

const MAX_NAMES = 65_536;
const MAX_BYTES = 4 * 2 ** 20;
/** Limit of the names as JSON; only characters other than letters, digits and hyphens take several bytes. */
const MAX_WRITTEN = 4 * 2 ** 20;
const FIRST_WRITTEN = 2 ** 16;
const MAX_NAME_WRITTEN = 2048;
const PLACES = MAX_NAMES * 2;
const WORD = 4;
// Odd and large; spreads neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const SPREAD = 2654435761;
const [DOT, OPENING, COMMA, CLOSING] = [0x2e, 0x5b, 0x2c, 0x5d];
const encoder = new TextEncoder();

export function createDomainNames(): DomainNames {
  const table = new Int32Array(PLACES);
  const hashes = new Int32Array(MAX_NAMES);
  const starts = new Uint32Array(MAX_NAMES + 1);
  const all = new Int32Array(MAX_BYTES / WORD);
  let domains: string[] = [];
  let writtenNames = new Uint8Array(FIRST_WRITTEN);
  const writtenStarts = new Uint32Array(MAX_NAMES + 1);
  // Compares four bytes at a time, since every record passes here. Bytes after the terminating zero are zero.
  const words = new Int32Array(256 / WORD);
  const folded = new Uint8Array(words.buffer);
  const written = Buffer.alloc(256);

  const isAt = (name: number, length: number): boolean => {
    const start = starts[name]!;
    if (starts[name + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (all[start + i] !== words[i]) return false;
    return true;
  };

  /** A name of letters, digits and hyphens is its bytes with dots between labels. */
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

  /** Stores the name as JSON. */
  const write = (name: number, domain: string): void => {
    const text = JSON.stringify(domain);
    const start = writtenStarts[name]!;
    if (start + MAX_NAME_WRITTEN > writtenNames.length) {
      const larger = new Uint8Array(writtenNames.length * 2);
      larger.set(writtenNames);
      writtenNames = larger;
    }
    writtenStarts[name + 1] = start + encoder.encodeInto(text, writtenNames.subarray(start)).written;
  };

  /** The names as one JSON array. */
  const writtenOf = (chosen: Uint32Array): EncodedValues => {
    const sizes = new Uint32Array(chosen.length);
    let size = 1;
    for (let place = 0; place < chosen.length; place += 1) {
      sizes[place] = writtenStarts[chosen[place]! + 1]! - writtenStarts[chosen[place]!]!;
      size += sizes[place]! + 1;
    }
    return { size, sizes, write: (into) => writeAll(chosen, sizes, into) };
  };
  const writeAll = (chosen: Uint32Array, sizes: Uint32Array, into: Uint8Array): void => {
    const from = new DataView(writtenNames.buffer);
    const view = new DataView(into.buffer, into.byteOffset, into.length);
    let to = 0;
    for (let place = 0; place < chosen.length; place += 1) {
      into[to] = place === 0 ? OPENING : COMMA;
      const start = writtenStarts[chosen[place]!]!;
      const size = sizes[place]!;
      // Copies four bytes at a time where the overrun stays inside the buffer; the next name overwrites it.
      if (to + size + WORD < into.length)
        for (let i = 0; i < size; i += WORD) view.setUint32(to + 1 + i, from.getUint32(start + i));
      else for (let i = 0; i < size; i++) into[to + 1 + i] = writtenNames[start + i]!;
      to += size + 1;
    }
    into[to] = CLOSING;
  };

  return {
    of(bytes, length) {
      const size = (length + WORD - 1) >> 2;
      words[size - 1] = 0;
      for (let i = 0; i < length; i++) folded[i] = bytes[i]!;
      let hash = length;
      for (let i = 0; i < size; i++) {
        words[i] = inLowerCase(words[i]!);
        hash = Math.imul(hash ^ words[i]!, SPREAD);
        hash ^= hash >>> 15;
      }
      let place = hash & (PLACES - 1);
      for (; table[place] !== 0; place = (place + 1) & (PLACES - 1)) {
        const name = table[place]! - 1;
        if (hashes[name] === hash && isAt(name, size)) return name;
      }
      const name = domains.length;
      const start = starts[name]!;
      all.set(words.subarray(0, size), start);
      starts[name + 1] = start + size;
      hashes[name] = hash;
      const domain = textOf(length);
      write(name, domain);
      table[place] = domains.push(domain);
      return name;
    },
    domains: () => domains,
    used(ofRows) {
      const { codes, usedCodes } = compactCodes(ofRows, domains.length);
      const all = domains;
      let values: readonly Value[] | undefined;
      return {
        // Most segments need only the JSON of the names.
        get values() {
          values ??= valuesAt(all, usedCodes);
          return values;
        },
        codes,
        encodedValues: () => writtenOf(usedCodes),
      };
    },
    isFull: () =>
      domains.length === MAX_NAMES ||
      starts[domains.length]! + words.length > all.length ||
      writtenStarts[domains.length]! + MAX_NAME_WRITTEN > MAX_WRITTEN,
    clear() {
      table.fill(0);
      domains = [];
    },
  };
}

/** Label lengths never get here; they are below the letters, but not below hyphens and digits. */
const isPlain = (byte: number): boolean =>
  (byte > 0x60 && byte < 0x7b) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;

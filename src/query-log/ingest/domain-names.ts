import { nameText } from '../../kit/wire-name.ts';
import type { EncodedValues, Value } from '../segments/columns.ts';
import { createInterner, UNKNOWN } from '../segments/interner.ts';
import type { NameColumn } from '../segments/row.ts';
import { scratchUint32 } from '../segments/scratch.ts';
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
const MAX_NAME_BYTES = 256;
const WORD = 4;
const [QUOTE, DOT, OPENING, COMMA, CLOSING] = [0x22, 0x2e, 0x5b, 0x2c, 0x5d];
const encoder = new TextEncoder();

export function createDomainNames(): DomainNames {
  const maxLength = MAX_NAME_BYTES / WORD;
  const interned = createInterner({ maxLength, maxCount: MAX_NAMES, maxWords: MAX_BYTES / WORD });
  let domains: string[] = [];
  let writtenNames = new Uint8Array(FIRST_WRITTEN);
  const writtenStarts = new Uint32Array(MAX_NAMES + 1);
  // Compares four bytes at a time, since every record passes here. Bytes after the terminating zero are zero.
  const words = interned.input;
  const folded = new Uint8Array(words.buffer);
  const text = Buffer.alloc(MAX_NAME_BYTES);

  /** Writes a name of letters, digits and hyphens, after a dot; false if it has others. */
  const writePlain = (length: number): boolean => {
    for (let label = 0; label < length - 1; label += folded[label]! + 1) {
      text[label] = DOT;
      for (let i = label + 1; i <= label + folded[label]!; i++) {
        if (!isPlain(folded[i]!)) return false;
        text[i] = folded[i]!;
      }
    }
    return length > 1;
  };

  /** Adds the name to the texts and their JSON. */
  const add = (name: number, length: number): void => {
    const start = writtenStarts[name]!;
    if (start + MAX_NAME_WRITTEN > writtenNames.length) {
      const larger = new Uint8Array(writtenNames.length * 2);
      larger.set(writtenNames);
      writtenNames = larger;
    }
    if (writePlain(length)) {
      domains.push(text.toString('latin1', 1, length - 1));
      writtenNames[start] = QUOTE;
      for (let i = 1; i < length - 1; i++) writtenNames[start + i] = text[i]!;
      writtenNames[start + length - 1] = QUOTE;
      writtenStarts[name + 1] = start + length;
      return;
    }
    const domain = length === 1 ? '.' : nameText(folded, 0);
    domains.push(domain);
    const { written } = encoder.encodeInto(JSON.stringify(domain), writtenNames.subarray(start));
    writtenStarts[name + 1] = start + written;
  };

  /** The names as one JSON array. */
  const writtenOf = (chosen: Uint32Array): EncodedValues => {
    const sizes = scratchUint32(chosen.length);
    let size = 1;
    for (let index = 0; index < chosen.length; index += 1) {
      sizes[index] = writtenStarts[chosen[index]! + 1]! - writtenStarts[chosen[index]!]!;
      size += sizes[index]! + 1;
    }
    return { count: chosen.length, size, sizes, write: (into) => writeAll(chosen, sizes, into) };
  };
  const writeAll = (chosen: Uint32Array, sizes: Uint32Array, into: Uint8Array): void => {
    const from = new DataView(writtenNames.buffer);
    const view = new DataView(into.buffer, into.byteOffset, into.length);
    let to = 0;
    for (let index = 0; index < chosen.length; index += 1) {
      into[to] = index === 0 ? OPENING : COMMA;
      const start = writtenStarts[chosen[index]!]!;
      const size = sizes[index]!;
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
      for (let i = 0; i < size; i++) words[i] = inLowerCase(words[i]!);
      const existing = interned.find(size);
      if (existing !== UNKNOWN) return existing;
      const name = interned.add();
      add(name, length);
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
    isFull: () => interned.isFull() || writtenStarts[domains.length]! + MAX_NAME_WRITTEN > MAX_WRITTEN,
    clear() {
      interned.clear();
      domains = [];
    },
  };
}

/** Label lengths never get here; they are below the letters, but not below hyphens and digits. */
const isPlain = (byte: number): boolean =>
  (byte > 0x60 && byte < 0x7b) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;

import { crc32 } from 'node:zlib';

export type Value = string | number | boolean | null;

/** `codes` are places in `values`, or the numbers themselves where there are none. */
export type Column = { readonly values?: readonly Value[]; readonly codes: ArrayLike<number> };
export type Codes = Uint8Array | Uint16Array | Uint32Array;

export type OpenColumns = {
  readonly length: number;
  readonly values: (name: string) => readonly Value[];
  readonly codes: (name: string) => Codes;
  /** The values as they are written, for searching without reading them: JSON in UTF-8. */
  readonly written: (name: string) => Buffer;
};

// [name, start and length of the values, start and width of the codes]; a width of 0 means that all codes are 0.
type Entry = readonly [string, number, number, number, number];

const ALIGNMENT = 4;
/** The sum of all bytes after it, and the length of the head. */
const HEAD_AT = 8;
/** What is stored is not what was written. A database does not notice if only the content changed. */
export class DamagedBytes extends Error {
  override readonly name = 'DamagedBytes';

  constructor(cause?: unknown) {
    super('a part of the query log is damaged and is passed over', cause === undefined ? undefined : { cause });
  }
}

/** Passes over what is damaged, so that the rest can still be read, and tells of it. */
export async function sparing<T>(
  onProblem: (problem: unknown) => void,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    onProblem(error);
    return undefined;
  }
}

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/**
 * Columns side by side in one run of bytes: a length of the head, the head, then what it points to. Each column is read
 * only when it is asked for, because most questions need few of them.
 */
export function packColumns(length: number, columns: Readonly<Record<string, Column>>): Uint8Array {
  const sections: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let end = 0;
  const place = (bytes: Uint8Array): number => {
    const at = end;
    sections.push({ at, bytes });
    end = aligned(end + bytes.length);
    return at;
  };
  const entries = Object.entries(columns).map(([name, { values, codes }]): Entry => {
    const text = values ? Buffer.from(JSON.stringify(values)) : Buffer.alloc(0);
    const at = place(text);
    const width = widthOf(codes);
    return [name, at, text.length, width === 0 ? 0 : place(written(codes, width)), width];
  });
  const head = Buffer.from(JSON.stringify([length, entries]));
  const start = aligned(HEAD_AT + head.length);
  const bytes = new Uint8Array(start + end);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, head.length, true);
  bytes.set(head, HEAD_AT);
  for (const section of sections) bytes.set(section.bytes, start + section.at);
  view.setUint32(0, crc32(bytes.subarray(4)), true);
  return bytes;
}

/**
 * `unproven`: without proof that the bytes are what was written. For looking whether a block is of any interest, which
 * reads much and shows nothing; the proof would take a quarter of the time.
 */
export function openColumns(given: Uint8Array, trust: 'proven' | 'unproven' = 'proven'): OpenColumns {
  // Typed arrays can only look at bytes that begin at a multiple of their width.
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const { buffer, byteOffset } = bytes;
  if (bytes.length < HEAD_AT) throw new DamagedBytes();
  const view = new DataView(buffer, byteOffset);
  if (trust === 'proven' && view.getUint32(0, true) !== crc32(bytes.subarray(4))) throw new DamagedBytes();
  const headLength = view.getUint32(4, true);
  const head = Buffer.from(buffer, byteOffset + HEAD_AT, headLength).toString('utf8');
  const [length, entries] = JSON.parse(head) as readonly [number, readonly Entry[]];
  const start = byteOffset + aligned(HEAD_AT + headLength);
  const entryOf = (name: string): Entry => {
    const entry = entries.find(([known]) => known === name);
    if (!entry) throw new Error(`a block of the query log has no column "${name}"`);
    return entry;
  };
  const textOf = (name: string): Buffer => {
    const [, at, size] = entryOf(name);
    return Buffer.from(buffer, start + at, size);
  };
  return {
    length,
    written: textOf,
    values: (name) => JSON.parse(textOf(name).toString('utf8')) as readonly Value[],
    codes(name) {
      const [, , , at, width] = entryOf(name);
      if (width === 0) return new Uint8Array(length);
      return width === 1
        ? new Uint8Array(buffer, start + at, length)
        : width === 2
          ? new Uint16Array(buffer, start + at, length)
          : new Uint32Array(buffer, start + at, length);
    },
  };
}

function widthOf(codes: ArrayLike<number>): 0 | 1 | 2 | 4 {
  let most = 0;
  for (let place = 0; place < codes.length; place += 1) if (codes[place]! > most) most = codes[place]!;
  return most === 0 ? 0 : most < 0x100 ? 1 : most < 0x10000 ? 2 : 4;
}

function written(codes: ArrayLike<number>, width: 1 | 2 | 4): Uint8Array {
  const array = width === 1 ? new Uint8Array(codes) : width === 2 ? new Uint16Array(codes) : new Uint32Array(codes);
  return new Uint8Array(array.buffer);
}

/** Gives each different value a number, in the order they are met. */
export type Numbering = { readonly values: Value[]; readonly of: (value: Value) => number };

const MANY_VALUES = 9;

/** `first`: different values that have their numbers already. */
export function numbering(first: readonly Value[] = []): Numbering {
  // Most columns have so few values that looking through them is sooner done than making a Map.
  let known: Map<Value, number> | undefined;
  const values: Value[] = [...first];
  // Many columns hold the same value again and again.
  let latest: Value | undefined;
  let latestNumber = 0;
  return {
    values,
    of(value) {
      if (value === latest) return latestNumber;
      if (!known && values.length >= MANY_VALUES) known = new Map(values.map((each, place) => [each, place]));
      let number = known ? (known.get(value) ?? -1) : values.indexOf(value);
      if (number === -1) {
        number = values.push(value) - 1;
        known?.set(value, number);
      }
      latest = value;
      latestNumber = number;
      return number;
    },
  };
}

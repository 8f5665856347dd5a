import { crc32 } from 'node:zlib';

export type Value = string | number | boolean | null;

/** `codes` are places in `values`, or the numbers themselves where there are none. */
export type Column = {
  readonly values?: readonly Value[];
  /** The same values, by whoever has them written already; for such as are picked. */
  readonly encodedValues?: (() => EncodedValues) | undefined;
  readonly codes: ArrayLike<number>;
  /** Single values will be asked for: they are found without reading the others, for a byte or two more each. */
  readonly hasOffsets?: boolean;
};
/** Values as JSON in one array: how many bytes it takes, and each of them, and what writes it where it shall be. */
export type EncodedValues = {
  readonly size: number;
  readonly sizes: ArrayLike<number>;
  readonly write: (into: Uint8Array) => void;
};

/** What the head says of a column, all as numbers of four bytes: reading text would take longer than all the rest. */
export const headerFields = [
  'textAt',
  'textSize',
  'codesAt',
  // A width of 0 means that all codes are 0.
  'codesWidth',
  'codesCount',
  'sizesAt',
  'sizesWidth',
  // None, if values are not picked.
  'sizesCount',
  'anchorsAt',
  'anchorsWidth',
  'anchorsCount',
] as const;
/** Of so many picked values the first is marked by where it begins; from there on their sizes tell. */
export const ANCHOR_EVERY = 16;

export const ALIGNMENT = 4;
/** A sum of all up to the body, where the body begins, the length, and the size of the names: four bytes each. */
export const NAMES_AT = 16;
/** Each has a sum of its own, so that only what is looked at has to be proven. */
export const CHECKSUM_BLOCK = 1024;

export const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/**
 * Columns side by side in one run of bytes: their names, the head, sums of the body's sections, and the body with what
 * the head points to. Each column is read only when it is asked for, because most questions need few of them.
 */
export function packColumns(length: number, columns: Readonly<Record<string, Column>>): Uint8Array {
  const body = createBody();
  const header = Object.values(columns).flatMap(({ values = [], encodedValues, codes, hasOffsets = false }) => {
    const { size, sizes, write } = encodedValues?.() ?? encodeValuesAsJson(values, hasOffsets);
    const numbers = [codes, sizes, anchorsOf(sizes)].flatMap((those) => body.reserveNumbers(those));
    return [body.reserve(size, write), size, ...numbers];
  });
  const names = Buffer.from(Object.keys(columns).join());
  const headAt = aligned(NAMES_AT + names.length);
  const checksumsAt = headAt + header.length * 4;
  const bodyAt = checksumsAt + Math.ceil(body.size() / CHECKSUM_BLOCK) * 4;
  const bytes = new Uint8Array(bodyAt + body.size());
  const numbers = new Uint32Array(bytes.buffer, 0, bodyAt / 4);
  numbers.set([0, bodyAt, length, names.length]);
  bytes.set(names, NAMES_AT);
  numbers.set(header, headAt / 4);
  body.writeTo(bytes.subarray(bodyAt));
  for (let at = bodyAt, checksum = checksumsAt / 4; at < bytes.length; at += CHECKSUM_BLOCK, checksum += 1)
    numbers[checksum] = crc32(bytes.subarray(at, at + CHECKSUM_BLOCK));
  numbers[0] = crc32(bytes.subarray(4, bodyAt));
  return bytes;
}

function encodeValuesAsJson(values: readonly Value[], hasOffsets: boolean): EncodedValues {
  const text = Buffer.from(JSON.stringify(values));
  const sizes = hasOffsets ? sizesOf(values, text.length) : [];
  return { size: text.length, sizes, write: (into) => into.set(text) };
}

/** How many bytes each value takes as it is written, in a text of so many bytes. */
function sizesOf(values: readonly Value[], bytes: number): readonly number[] {
  // Nearly all are strings of characters that are written as they are, each as a byte: then there is nothing to measure.
  const sizes = values.map(sizeOf);
  const isSo = bytes === sizes.reduce(sumWithComma, 1);
  return isSo ? sizes : values.map((value) => Buffer.byteLength(JSON.stringify(value)));
}

const sizeOf = (value: Value): number => (typeof value === 'string' ? value.length + 2 : String(value).length);
const sumWithComma = (checksum: number, size: number): number => checksum + size + 1;

function anchorsOf(sizes: ArrayLike<number>): readonly number[] {
  const anchors: number[] = [];
  // Before the first value there is a bracket, before every other a comma.
  let start = 1;
  for (let place = 0; place < sizes.length; place += 1) {
    if (place % ANCHOR_EVERY === 0) anchors.push(start);
    start += sizes[place]! + 1;
  }
  return anchors;
}

/** What is put there is written when there is memory for all of it. */
function createBody() {
  const parts: { readonly at: number; readonly size: number; readonly write: (into: Uint8Array) => void }[] = [];
  let end = 0;
  const reserve = (size: number, write: (into: Uint8Array) => void): number => {
    const at = end;
    parts.push({ at, size, write });
    end = aligned(end + size);
    return at;
  };
  return {
    size: () => end,
    reserve,
    /** Where they are, their width, and how many they are. */
    reserveNumbers(given: ArrayLike<number>): readonly [number, number, number] {
      // All of one width: loops over arrays of several kinds take many times as long.
      const numbers = given instanceof Uint32Array ? given : new Uint32Array(given);
      const width = widthOf(numbers);
      const at = width === 0 ? 0 : reserve(width * numbers.length, (into) => writeNumbers(numbers, width, into));
      return [at, width, numbers.length];
    },
    writeTo(bytes: Uint8Array): void {
      for (const { at, size, write } of parts) write(bytes.subarray(at, at + size));
    },
  };
}

function widthOf(codes: Uint32Array): 0 | 1 | 2 | 4 {
  let most = 0;
  for (let place = 0; place < codes.length; place += 1) if (codes[place]! > most) most = codes[place]!;
  return most === 0 ? 0 : most < 0x100 ? 1 : most < 0x10000 ? 2 : 4;
}

export const arrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

function writeNumbers(numbers: Uint32Array, width: 1 | 2 | 4, { buffer, byteOffset }: Uint8Array): void {
  const to = new arrays[width](buffer as ArrayBuffer, byteOffset, numbers.length);
  // Narrowing number by number is left to the engine where it is quick.
  to.set(numbers);
}

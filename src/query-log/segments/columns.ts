import { crc32 } from 'node:zlib';

export type Value = string | number | boolean | null;

/** `codes` are indexes into `values`, or plain numbers without `values`. */
export type Column = {
  readonly values?: readonly Value[];
  /** The same values, already encoded. Requires `hasOffsets`. */
  readonly encodedValues?: (() => EncodedValues) | undefined;
  readonly codes: ArrayLike<number>;
  /** Stores the size of each value, so single values can be read without the others. */
  readonly hasOffsets?: boolean;
};
/** Values as one JSON array: their number, its size, the size of each value, and a function that writes it. */
export type EncodedValues = {
  readonly count: number;
  readonly size: number;
  readonly sizes: ArrayLike<number>;
  readonly write: (into: Uint8Array) => void;
};

/** Column header: 32-bit numbers, because parsing text would dominate the cost of a read. */
export const headerFields = [
  'textAt',
  'textSize',
  'codesAt',
  // 0: all codes are 0.
  'codesWidth',
  'codesCount',
  'sizesAt',
  'sizesWidth',
  // 0: values have no offsets.
  'sizesCount',
  'anchorsAt',
  'anchorsWidth',
  'anchorsCount',
] as const;
/** Every 16th value has its offset stored; the sizes give the others. */
export const ANCHOR_EVERY = 16;

export const ALIGNMENT = 4;
/** Checksum up to the body, offset of the body, number of rows, size of the names: four bytes each. */
export const NAMES_AT = 16;
/** Bytes per checksum, so that a read verifies only what it needs. */
export const CHECKSUM_BLOCK = 1024;

export const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/**
 * Encodes columns: names, column headers, checksums of the body in blocks, body. Columns are decoded on access, because
 * most queries need few.
 */
export function packColumns(length: number, columns: Readonly<Record<string, Column>>): Uint8Array {
  const body = createBody();
  const header = Object.values(columns).flatMap(({ values = [], encodedValues, codes, hasOffsets = false }) => {
    const { size, sizes, write } = encodedValues?.() ?? encodeValuesAsJson(values, hasOffsets);
    const numbers = [codes, sizes, anchorsOf(sizes)].flatMap((array) => body.reserveNumbers(array));
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

export function encodeValuesAsJson(values: readonly Value[], hasOffsets: boolean): EncodedValues {
  const text = Buffer.from(JSON.stringify(values));
  const sizes = hasOffsets ? sizesOf(values, text.length) : [];
  return { count: values.length, size: text.length, sizes, write: (into) => into.set(text) };
}

/** Size of each value as JSON in bytes, for a text of `bytes` bytes. */
function sizesOf(values: readonly Value[], bytes: number): readonly number[] {
  // Most values are ASCII strings without escapes, so their length is their size.
  const sizes = values.map(sizeOf);
  const isPlain = bytes === sizes.reduce(sumWithComma, 1);
  return isPlain ? sizes : values.map((value) => Buffer.byteLength(JSON.stringify(value)));
}

const sizeOf = (value: Value): number => (typeof value === 'string' ? value.length + 2 : String(value).length);
const sumWithComma = (sum: number, size: number): number => sum + size + 1;

function anchorsOf(sizes: ArrayLike<number>): readonly number[] {
  const anchors: number[] = [];
  // A bracket precedes the first value, a comma every other.
  let start = 1;
  for (let index = 0; index < sizes.length; index += 1) {
    if (index % ANCHOR_EVERY === 0) anchors.push(start);
    start += sizes[index]! + 1;
  }
  return anchors;
}

/** Reserves space; the parts are written after the total size is known. */
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
    /** Returns offset, width and count. */
    reserveNumbers(source: ArrayLike<number>): readonly [number, number, number] {
      // One array type: loops over several typed-array types are many times slower.
      const numbers = source instanceof Uint32Array ? source : new Uint32Array(source);
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
  for (let index = 0; index < codes.length; index += 1) if (codes[index]! > most) most = codes[index]!;
  return most === 0 ? 0 : most < 0x100 ? 1 : most < 0x10000 ? 2 : 4;
}

export const arrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

function writeNumbers(numbers: Uint32Array, width: 1 | 2 | 4, { buffer, byteOffset }: Uint8Array): void {
  const to = new arrays[width](buffer as ArrayBuffer, byteOffset, numbers.length);
  // `set` narrows the numbers in native code.
  to.set(numbers);
}

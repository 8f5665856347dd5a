import { crc32 } from 'node:zlib';
import { ChecksumError, parseStoredJson } from './checksum-error.ts';
import {
  ALIGNMENT,
  ANCHOR_EVERY,
  aligned,
  arrays,
  CHECKSUM_BLOCK,
  headerFields,
  NAMES_AT,
  type Value,
} from './columns.ts';

export type Codes = Uint8Array | Uint16Array | Uint32Array;

type OpenColumn = {
  readonly codes: () => Codes;
  readonly codeAt: (row: number) => number;
  readonly values: () => readonly Value[];
  /** Number of values. */
  readonly size: () => number;
  readonly valueAt: (code: number) => Value;
  /** -1 if the value does not occur. */
  readonly codeOf: (value: Value) => number;
  /** Codes of the values whose JSON contains the text; undefined if there are more than `most`, or no offsets. */
  readonly codesWith: (text: string, most: number) => readonly number[] | undefined;
};
export type OpenColumns = {
  readonly length: number;
  readonly has: (name: string) => boolean;
  readonly column: (name: string) => OpenColumn;
};

/**
 * When checksums are verified: everything at first, each block when it is read, or never (to decide whether a segment
 * is relevant; nothing of it is shown).
 */
type Verification = 'first' | 'as read' | 'none';

export function openColumns(encoded: Uint8Array, verification: Verification = 'first'): OpenColumns {
  // Typed arrays need an aligned offset.
  const bytes = encoded.byteOffset % ALIGNMENT === 0 ? encoded : new Uint8Array(encoded);
  const { length, names, header, checksums, bodyAt } = readFrame(bytes);
  const body = bodyOf(bytes.subarray(bodyAt), checksums, verification);
  return {
    length,
    has: (name) => names.includes(name),
    column(name) {
      const index = names.indexOf(name);
      if (index === -1) throw new Error(`a segment of the query log has no column "${name}"`);
      return columnIn(body, header.subarray(index * headerFields.length, (index + 1) * headerFields.length));
    },
  };
}

/** Header before the body; always verified. */
function readFrame(bytes: Uint8Array) {
  const { buffer, byteOffset } = bytes;
  if (bytes.length < NAMES_AT) throw new ChecksumError();
  const [checksum, bodyAt, length, namesSize] = new Uint32Array(buffer, byteOffset, NAMES_AT / 4) as unknown as Four;
  if (bodyAt > bytes.length || checksum !== crc32(bytes.subarray(4, bodyAt))) throw new ChecksumError();
  const names = Buffer.from(buffer, byteOffset + NAMES_AT, namesSize)
    .toString('utf8')
    .split(',');
  const headAt = aligned(NAMES_AT + namesSize);
  const checksumsAt = headAt + names.length * headerFields.length * 4;
  const numbers = (from: number, to: number) => new Uint32Array(buffer, byteOffset + from, (to - from) / 4);
  return { length, names, header: numbers(headAt, checksumsAt), checksums: numbers(checksumsAt, bodyAt), bodyAt };
}
type Four = readonly [number, number, number, number];

type Body = {
  /** Throws if the checksum does not match. */
  readonly verify: (at: number, size: number) => void;
  /** Not verified. */
  readonly text: (at: number, size: number) => Buffer;
  readonly numbers: (at: number, width: number, count: number) => Codes;
};

function bodyOf(bytes: Uint8Array, checksums: Uint32Array, verification: Verification): Body {
  const { buffer, byteOffset } = bytes;
  const isVerified = new Uint8Array(checksums.length);
  const checkBounds = (end: number): void => {
    if (end > bytes.length) throw new ChecksumError();
  };
  const verifyBlocks = (at: number, end: number): void => {
    for (let block = Math.floor(at / CHECKSUM_BLOCK); block * CHECKSUM_BLOCK < end; block += 1) {
      if (isVerified[block] === 1) continue;
      const from = block * CHECKSUM_BLOCK;
      if (checksums[block] !== crc32(bytes.subarray(from, from + CHECKSUM_BLOCK))) throw new ChecksumError();
      isVerified[block] = 1;
    }
  };
  if (verification === 'first') verifyBlocks(0, bytes.length);
  return {
    verify(at, size) {
      if (verification !== 'as read' || size === 0) return;
      checkBounds(at + size);
      verifyBlocks(at, at + size);
    },
    text(at, size) {
      checkBounds(at + size);
      return Buffer.from(buffer, byteOffset + at, size);
    },
    numbers(at, width, count) {
      if (width === 0) return new Uint8Array(count);
      checkBounds(at + width * count);
      return new arrays[width as 1 | 2 | 4](buffer as ArrayBuffer, byteOffset + at, count);
    },
  };
}

function columnIn(body: Body, header: Uint32Array): OpenColumn {
  const { verify } = body;
  const [textAt, textSize, codesAt, codesWidth, codesCount] = header as unknown as FirstNumbers;
  // Decoded on access: there are many columns, and most queries need few.
  let textBytes: Buffer | undefined;
  let codeArray: Codes | undefined;
  let allValues: readonly Value[] | undefined;
  const text = (): Buffer => {
    verify(textAt, textSize);
    textBytes ??= body.text(textAt, textSize);
    return textBytes;
  };
  const values = (): readonly Value[] => {
    allValues ??= parseStoredJson<readonly Value[]>(text().toString('utf8'));
    return allValues;
  };
  const offsets = header[SIZES_COUNT] === 0 ? undefined : offsetsIn(body, header);
  return {
    values,
    size: () => offsets?.size ?? values().length,
    valueAt(code) {
      if (!offsets) return values()[code]!;
      const [start, end] = offsets.spanOf(code);
      verify(textAt + start, end - start);
      textBytes ??= body.text(textAt, textSize);
      return valueIn(textBytes, start, end);
    },
    codeOf: (value) => (offsets ? codeOfValue(text(), offsets, value) : values().indexOf(value)),
    codesWith: (part, most) => (offsets ? codesWithPart(text(), offsets, part, most) : undefined),
    codes() {
      verify(codesAt, codesWidth * codesCount);
      codeArray ??= body.numbers(codesAt, codesWidth, codesCount);
      return codeArray;
    },
    codeAt(row) {
      verify(codesAt + row * codesWidth, codesWidth);
      codeArray ??= body.numbers(codesAt, codesWidth, codesCount);
      return codeArray[row]!;
    },
  };
}
type FirstNumbers = readonly [number, number, number, number, number];
const SIZES_COUNT = headerFields.indexOf('sizesCount');

/** Positions of single values in the JSON text. */
type ValueOffsets = {
  readonly size: number;
  readonly spanOf: (code: number) => readonly [start: number, end: number];
  /** The code of the value at a text offset. */
  readonly codeOver: (at: number) => number;
};

function offsetsIn({ verify, numbers }: Body, header: Uint32Array): ValueOffsets {
  const [sizesAt, sizesWidth, count, anchorsAt, anchorsWidth, anchorsCount] = header.subarray(
    headerFields.indexOf('sizesAt'),
  ) as unknown as LastNumbers;
  verify(anchorsAt, anchorsWidth * anchorsCount);
  const [sizes, anchors] = [numbers(sizesAt, sizesWidth, count), numbers(anchorsAt, anchorsWidth, anchorsCount)];
  const firstOf = (anchor: number): number => {
    verify(
      sizesAt + anchor * ANCHOR_EVERY * sizesWidth,
      Math.min(ANCHOR_EVERY, count - anchor * ANCHOR_EVERY) * sizesWidth,
    );
    return anchors[anchor]!;
  };
  return {
    size: count,
    spanOf(code) {
      const anchor = Math.floor(code / ANCHOR_EVERY);
      let start = firstOf(anchor);
      for (let before = anchor * ANCHOR_EVERY; before < code; before += 1) start += sizes[before]! + 1;
      return [start, start + sizes[code]!];
    },
    codeOver(at) {
      const anchor = lastAtMost(anchors, at);
      let [code, end] = [anchor * ANCHOR_EVERY, firstOf(anchor) + sizes[anchor * ANCHOR_EVERY]!];
      while (end < at) {
        code += 1;
        end += sizes[code]! + 1;
      }
      return code;
    },
  };
}
type LastNumbers = readonly [number, number, number, number, number, number];

/** Binary search: index of the last number that is at most `most`. The first one is. */
function lastAtMost(numbers: Codes, most: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! > most) high = middle - 1;
    else low = middle;
  }
  return low;
}

const QUOTE = 0x22;

function valueIn(text: Buffer, start: number, end: number): Value {
  if (text[start] !== QUOTE) return parseStoredJson(text.toString('utf8', start, end));
  // Most strings have no escapes; then JSON.parse is ten times slower.
  const inner = text.toString('utf8', start + 1, end - 1);
  return inner.includes('\\') ? parseStoredJson(`"${inner}"`) : inner;
}

function codeOfValue(text: Buffer, { codeOver, spanOf }: ValueOffsets, value: Value): number {
  const wanted = Buffer.from(JSON.stringify(value));
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const code = codeOver(at);
    const [start, end] = spanOf(code);
    // The bytes may be part of another value.
    if (start === at && end === at + wanted.length) return code;
  }
  return -1;
}

function codesWithPart(text: Buffer, { codeOver, spanOf }: ValueOffsets, part: string, most: number) {
  const codes: number[] = [];
  const size = Buffer.byteLength(part);
  for (let at = text.indexOf(part); at !== -1 && codes.length <= most; ) {
    const code = codeOver(at);
    const [start, end] = spanOf(code);
    // Excludes matches that span two values or include the quotes.
    const isInside = at > start && at + size < end;
    if (isInside) codes.push(code);
    at = text.indexOf(part, isInside ? end : at + 1);
  }
  return codes.length > most ? undefined : codes;
}

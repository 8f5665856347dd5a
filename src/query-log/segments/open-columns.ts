import { crc32 } from 'node:zlib';
import { DamagedBytes, parsed } from './checksum-error.ts';
import { ALIGNMENT, aligned, arrays, headNumbers, MARKED, NAMES_AT, SECTION, type Value } from './columns.ts';

export type Codes = Uint8Array | Uint16Array | Uint32Array;

type OpenColumn = {
  readonly codes: () => Codes;
  readonly codeAt: (row: number) => number;
  readonly values: () => readonly Value[];
  /** How many values there are. */
  readonly size: () => number;
  readonly valueAt: (code: number) => Value;
  /** -1 if it is not among the values. */
  readonly codeOf: (value: Value) => number;
  /** Which picked values hold a text, as they are written, which is in JSON; undefined if more than so many do. */
  readonly codesWith: (written: string, most: number) => readonly number[] | undefined;
};
export type OpenColumns = { readonly length: number; readonly column: (name: string) => OpenColumn };

/**
 * What is proven to be what was written: all of it before anything is read; or each section when it is read, which may
 * then fail; or nothing, for looking whether a block is of any interest, which reads much and shows nothing.
 */
type Proof = 'first' | 'as read' | 'none';

export function openColumns(given: Uint8Array, proof: Proof = 'first'): OpenColumns {
  // Typed arrays can only look at bytes that begin at a multiple of their width.
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const { length, names, head, sums, bodyAt } = frameOf(bytes);
  const body = bodyOf(bytes.subarray(bodyAt), sums, proof);
  return {
    length,
    column(name) {
      const place = names.indexOf(name);
      if (place === -1) throw new Error(`a block of the query log has no column "${name}"`);
      return columnIn(body, head.subarray(place * headNumbers.length, (place + 1) * headNumbers.length));
    },
  };
}

/** What stands before the body: small, and always proven. */
function frameOf(bytes: Uint8Array) {
  const { buffer, byteOffset } = bytes;
  if (bytes.length < NAMES_AT) throw new DamagedBytes();
  const [sum, bodyAt, length, namesSize] = new Uint32Array(buffer, byteOffset, NAMES_AT / 4) as unknown as Four;
  if (bodyAt > bytes.length || sum !== crc32(bytes.subarray(4, bodyAt))) throw new DamagedBytes();
  const names = Buffer.from(buffer, byteOffset + NAMES_AT, namesSize)
    .toString('utf8')
    .split(',');
  const headAt = aligned(NAMES_AT + namesSize);
  const sumsAt = headAt + names.length * headNumbers.length * 4;
  const numbers = (from: number, to: number) => new Uint32Array(buffer, byteOffset + from, (to - from) / 4);
  return { length, names, head: numbers(headAt, sumsAt), sums: numbers(sumsAt, bodyAt), bodyAt };
}
type Four = readonly [number, number, number, number];

type Body = {
  /** Throws if it is not what was written there. */
  readonly prove: (at: number, size: number) => void;
  /** What is there, not proven. */
  readonly text: (at: number, size: number) => Buffer;
  readonly numbers: (at: number, width: number, count: number) => Codes;
};

function bodyOf(bytes: Uint8Array, sums: Uint32Array, proof: Proof): Body {
  const { buffer, byteOffset } = bytes;
  const isProven = new Uint8Array(sums.length);
  const mustHold = (end: number): void => {
    if (end > bytes.length) throw new DamagedBytes();
  };
  const proveSections = (at: number, end: number): void => {
    for (let section = Math.floor(at / SECTION); section * SECTION < end; section += 1) {
      if (isProven[section] === 1) continue;
      const from = section * SECTION;
      if (sums[section] !== crc32(bytes.subarray(from, from + SECTION))) throw new DamagedBytes();
      isProven[section] = 1;
    }
  };
  if (proof === 'first') proveSections(0, bytes.length);
  return {
    prove(at, size) {
      if (proof !== 'as read' || size === 0) return;
      mustHold(at + size);
      proveSections(at, at + size);
    },
    text(at, size) {
      mustHold(at + size);
      return Buffer.from(buffer, byteOffset + at, size);
    },
    numbers(at, width, count) {
      if (width === 0) return new Uint8Array(count);
      mustHold(at + width * count);
      return new arrays[width as 1 | 2 | 4](buffer as ArrayBuffer, byteOffset + at, count);
    },
  };
}

function columnIn(body: Body, head: Uint32Array): OpenColumn {
  const { prove } = body;
  const [textAt, textSize, codesAt, codesWidth, codesCount] = head as unknown as FirstNumbers;
  // Whatever is not asked for is not even looked at: there are many columns, and most questions need few.
  let unprovenText: Buffer | undefined;
  let unprovenCodes: Codes | undefined;
  let allValues: readonly Value[] | undefined;
  const written = (): Buffer => {
    prove(textAt, textSize);
    unprovenText ??= body.text(textAt, textSize);
    return unprovenText;
  };
  const values = (): readonly Value[] => {
    allValues ??= parsed<readonly Value[]>(written().toString('utf8'));
    return allValues;
  };
  const picked = head[SIZES_COUNT] === 0 ? undefined : pickedIn(body, head);
  return {
    values,
    size: () => picked?.size ?? values().length,
    valueAt(code) {
      if (!picked) return values()[code]!;
      const [start, end] = picked.spanOf(code);
      prove(textAt + start, end - start);
      unprovenText ??= body.text(textAt, textSize);
      return valueIn(unprovenText, start, end);
    },
    codeOf: (value) => (picked ? codeOfValue(written(), picked, value) : values().indexOf(value)),
    codesWith: (part, most) => (picked ? codesWithPart(written(), picked, part, most) : undefined),
    codes() {
      prove(codesAt, codesWidth * codesCount);
      unprovenCodes ??= body.numbers(codesAt, codesWidth, codesCount);
      return unprovenCodes;
    },
    codeAt(row) {
      prove(codesAt + row * codesWidth, codesWidth);
      unprovenCodes ??= body.numbers(codesAt, codesWidth, codesCount);
      return unprovenCodes[row]!;
    },
  };
}
type FirstNumbers = readonly [number, number, number, number, number];
const SIZES_COUNT = headNumbers.indexOf('sizesCount');

/** Where single values are in their text. */
type Picked = {
  readonly size: number;
  readonly spanOf: (code: number) => readonly [start: number, end: number];
  /** The value that is written at a place. */
  readonly codeOver: (at: number) => number;
};

function pickedIn({ prove, numbers }: Body, head: Uint32Array): Picked {
  const [sizesAt, sizesWidth, count, marksAt, marksWidth, marksCount] = head.subarray(
    headNumbers.indexOf('sizesAt'),
  ) as unknown as LastNumbers;
  prove(marksAt, marksWidth * marksCount);
  const [sizes, marks] = [numbers(sizesAt, sizesWidth, count), numbers(marksAt, marksWidth, marksCount)];
  const firstOf = (mark: number): number => {
    prove(sizesAt + mark * MARKED * sizesWidth, Math.min(MARKED, count - mark * MARKED) * sizesWidth);
    return marks[mark]!;
  };
  return {
    size: count,
    spanOf(code) {
      const mark = Math.floor(code / MARKED);
      let start = firstOf(mark);
      for (let before = mark * MARKED; before < code; before += 1) start += sizes[before]! + 1;
      return [start, start + sizes[code]!];
    },
    codeOver(at) {
      const mark = lastUpTo(marks, at);
      let [code, end] = [mark * MARKED, firstOf(mark) + sizes[mark * MARKED]!];
      while (end < at) {
        code += 1;
        end += sizes[code]! + 1;
      }
      return code;
    },
  };
}
type LastNumbers = readonly [number, number, number, number, number, number];

/** The place of the last number that is not larger, among numbers that only grow and of which the first is. */
function lastUpTo(numbers: Codes, most: number): number {
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
  if (text[start] !== QUOTE) return parsed(text.toString('utf8', start, end));
  // Hardly any needs more than to be taken as it is, which is ten times as quick.
  const inner = text.toString('utf8', start + 1, end - 1);
  return inner.includes('\\') ? parsed(`"${inner}"`) : inner;
}

function codeOfValue(text: Buffer, { codeOver, spanOf }: Picked, value: Value): number {
  const wanted = Buffer.from(JSON.stringify(value));
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const code = codeOver(at);
    const [start, end] = spanOf(code);
    // A part of another value may look the same.
    if (start === at && end === at + wanted.length) return code;
  }
  return -1;
}

function codesWithPart(text: Buffer, { codeOver, spanOf }: Picked, part: string, most: number) {
  const codes: number[] = [];
  const size = Buffer.byteLength(part);
  for (let at = text.indexOf(part); at !== -1 && codes.length <= most; ) {
    const code = codeOver(at);
    const [start, end] = spanOf(code);
    // What stands between two values is in none of them, nor are the quotes around one.
    const isInside = at > start && at + size < end;
    if (isInside) codes.push(code);
    at = text.indexOf(part, isInside ? end : at + 1);
  }
  return codes.length > most ? undefined : codes;
}

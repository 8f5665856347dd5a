import { FRAME_HEAD, flags, frameTypes, MAX_FRAME, writeFrameHead } from './http2-frames.ts';
import type { Outbox } from './outbox.ts';
import { staticTable } from './static-table.ts';

/** Header of a response. */
export type ResponseHead = {
  readonly status: number;
  readonly type: string;
  /** In seconds. */
  readonly maxAge?: number;
  readonly allow?: string;
};

// Upper limit for all fields together.
const MAX_BYTES = 256;
const INDEXED = 0x80;
/** Sets the size of our dynamic table to 0; sent once, which also acknowledges any size that the client has set (RFC 7541, 4.2). */
const EMPTY_TABLE = 0x20;

const numberOf = (name: string): number => staticTable.findIndex(([staticIndex]) => staticIndex === name) + 1;
/** A literal field without indexing, with a name of the static table (RFC 7541, 6.2.2). */
const literal = (name: string, value: string): Buffer => {
  const number = numberOf(name);
  const named = number < 15 ? [number] : [15, number - 15];
  return Buffer.from([...named, value.length, ...Buffer.from(value, 'latin1')]);
};

const statuses = new Map<number, Buffer>();
const types = new Map<string, Buffer>();
const NO_LENGTH = literal('content-length', '');
const NO_AGE = literal('cache-control', 'max-age=');

function statusField(status: number): Buffer {
  const staticIndex = staticTable.findIndex(([name, value]) => name === ':status' && value === `${status}`);
  return staticIndex < 0 ? literal(':status', `${status}`) : Buffer.from([INDEXED | (staticIndex + 1)]);
}

/** Uses only the static table, so that responses are independent of each other. */
export function writeResponseHead(
  outbox: Outbox,
  stream: number,
  { status, type, maxAge, allow }: ResponseHead,
  { length, isFirst, isAll }: { readonly length: number; readonly isFirst: boolean; readonly isAll: boolean },
): void {
  outbox.reserve(MAX_BYTES);
  const { bytes } = outbox;
  const start = outbox.at + FRAME_HEAD;
  let at = start;
  if (isFirst) bytes[at++] = EMPTY_TABLE;
  at = write(bytes, at, cachedField(statuses, status, statusField));
  at = write(bytes, at, cachedField(types, type, typeField));
  // Optional in HTTP/2, but dig treats an answer without content-length as empty.
  at = writeNumber(bytes, write(bytes, at, NO_LENGTH), NO_LENGTH.length - 1, at, length);
  if (maxAge !== undefined) at = writeNumber(bytes, write(bytes, at, NO_AGE), AGE_LENGTH_AT, at, maxAge);
  if (allow !== undefined) at = write(bytes, at, literal('allow', allow));
  writeFrameHead(outbox, at - start, frameTypes.headers, flags.endHeaders | (isAll ? flags.endStream : 0), stream);
  outbox.at = at;
}

/** Writes a header with any fields (names and values alternate); returns false if it is too long for a frame. */
export function writeFields(
  outbox: Outbox,
  stream: number,
  status: number,
  fields: readonly string[],
  isFirst: boolean,
): boolean {
  const parts = [Buffer.from(isFirst ? [EMPTY_TABLE] : []), cachedField(statuses, status, statusField)];
  for (let at = 0; at + 1 < fields.length; at += 2)
    parts.push(Buffer.from([NEW_NAME]), text(fields[at]!.toLowerCase()), text(fields[at + 1]!));
  const block = Buffer.concat(parts);
  if (block.length > MAX_FRAME) return false;
  outbox.reserve(FRAME_HEAD + block.length);
  writeFrameHead(outbox, block.length, frameTypes.headers, flags.endHeaders, stream);
  outbox.bytes.set(block, outbox.at + FRAME_HEAD);
  outbox.at += FRAME_HEAD + block.length;
  return true;
}

/** A literal field without indexing, with a literal name (RFC 7541, 6.2.2). */
const NEW_NAME = 0x00;
const MAX_PREFIX = 0x7f;

/** A string without Huffman coding (RFC 7541, 5.2). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < MAX_PREFIX) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [MAX_PREFIX];
  let rest = bytes.length - MAX_PREFIX;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push(0x80 | (rest % 0x80));
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

const typeField = (type: string): Buffer => literal('content-type', type);
// Offset after the two bytes of the name's index.
const AGE_LENGTH_AT = 2;

function cachedField<Key>(fields: Map<Key, Buffer>, key: Key, make: (key: Key) => Buffer): Buffer {
  const before = fields.get(key);
  if (before) return before;
  const field = make(key);
  fields.set(key, field);
  return field;
}

function write(into: Buffer, at: number, field: Buffer): number {
  into.set(field, at);
  return at + field.length;
}

/** Appends the digits to a value whose length is at `field + lengthAt`. */
function writeNumber(into: Buffer, at: number, lengthAt: number, field: number, value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  let rest = value;
  for (let digitAt = at + digits - 1; digitAt >= at; digitAt--) {
    into[digitAt] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  into[field + lengthAt]! += digits;
  return at + digits;
}

import { decodeHuffman } from './huffman.ts';
import {
  addField,
  FIELD_OVERHEAD,
  type Field,
  kindOfField,
  kindOfName,
  MAX_HEAD_BYTES,
  type RequestHead,
} from './request-head.ts';
import { staticTable } from './static-table.ts';

/** Maximum size of the dynamic table: the default of HTTP/2. */
const MAX_TABLE_BYTES = 4096;
// Every entry counts as at least 32 bytes.
const MAX_ENTRIES = 128;
/** Maximum length of an encoded header block; the shortest Huffman code has five bits for eight. */
export const MAX_BLOCK_BYTES = MAX_HEAD_BYTES;
const scratch = Buffer.allocUnsafeSlow(Math.ceil((MAX_BLOCK_BYTES * 8) / 5));

const staticFields: readonly Field[] = staticTable.map(([name, value = '']) => ({
  name,
  value,
  kind: kindOfName(name),
}));

const MAX_NUMBER = 2 ** 28;
const WRONG = -1;

export type HpackDecoder = {
  /** Reads a header block into `head`. Returns false if it is malformed; no later block can be read then. */
  readonly decode: (bytes: Buffer, at: number, end: number, head: RequestHead) => boolean;
};

/** Decodes the header blocks of one connection (RFC 7541). The dynamic table has at most 4,096 bytes. */
export function createHpackDecoder(): HpackDecoder {
  const entries: (Field | undefined)[] = Array.from({ length: MAX_ENTRIES }, () => undefined);
  let newest = 0;
  let count = 0;
  let tableBytes = 0;
  let allowedBytes = MAX_TABLE_BYTES;
  let bytes: Buffer = scratch;
  let at = 0;
  let end = 0;

  const fieldAt = (index: number): Field | undefined => {
    if (index <= staticFields.length) return staticFields[index - 1];
    const age = index - staticFields.length - 1;
    return age < count ? entries[(newest - age) & (MAX_ENTRIES - 1)] : undefined;
  };

  const shrinkTo = (most: number): void => {
    while (tableBytes > most) {
      const oldest = (newest - count + 1) & (MAX_ENTRIES - 1);
      tableBytes -= sizeOf(entries[oldest]!);
      entries[oldest] = undefined;
      count -= 1;
    }
  };

  const remember = (field: Field): void => {
    const size = sizeOf(field);
    // An entry larger than the table empties it, which is not an error (RFC 7541, 4.4).
    shrinkTo(Math.max(0, allowedBytes - size));
    if (size > allowedBytes) return;
    newest = (newest + 1) & (MAX_ENTRIES - 1);
    entries[newest] = field;
    count += 1;
    tableBytes += size;
  };

  /** An integer with a prefix (RFC 7541, 5.1). */
  const readNumber = (mask: number): number => {
    let value = bytes[at++]! & mask;
    if (value < mask) return value;
    for (let scale = 1; at < end && scale < MAX_NUMBER; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value < MAX_NUMBER ? value : WRONG;
    }
    return WRONG;
  };

  const readText = (): string | undefined => {
    if (at >= end) return undefined;
    const isHuffman = bytes[at]! >= 0x80;
    const length = readNumber(0x7f);
    if (length === WRONG || at + length > end) return undefined;
    const from = at;
    at += length;
    if (!isHuffman) return bytes.toString('latin1', from, at);
    const decoded = decodeHuffman(bytes, from, at, scratch);
    return decoded === WRONG ? undefined : scratch.toString('latin1', 0, decoded);
  };

  const readLiteral = (mask: number, isRemembered: boolean, head: RequestHead): boolean => {
    const index = readNumber(mask);
    if (index === WRONG) return false;
    const named = index === 0 ? undefined : fieldAt(index);
    if (index !== 0 && named === undefined) return false;
    const name = named ? named.name : readText();
    const value = name === undefined ? undefined : readText();
    if (name === undefined || value === undefined) return false;
    const kind = kindOfField(kindOfName(name), name, value);
    addField(head, kind, name, value, name.length + value.length + FIELD_OVERHEAD);
    if (isRemembered) remember({ name, value, kind });
    return true;
  };

  const readIndexed = (head: RequestHead): boolean => {
    const field = fieldAt(readNumber(0x7f));
    if (!field) return false;
    addField(head, field.kind, field.name, field.value, sizeOf(field));
    return true;
  };

  const resize = (): boolean => {
    const size = readNumber(0x1f);
    if (size === WRONG || size > MAX_TABLE_BYTES) return false;
    allowedBytes = size;
    shrinkTo(size);
    return true;
  };

  const readField = (head: RequestHead): boolean => {
    const first = bytes[at]!;
    if (first >= 0x80) return readIndexed(head);
    if (first >= 0x40) return readLiteral(0x3f, true, head);
    // Size updates are allowed only at the start of a block.
    if (first >= 0x20) return head.fields === 0 && resize();
    return readLiteral(0x0f, false, head);
  };

  return {
    decode(from, start, stop, head) {
      bytes = from;
      at = start;
      end = stop;
      while (at < end) if (!readField(head)) return false;
      return true;
    },
  };
}

const sizeOf = ({ name, value }: Field): number => name.length + value.length + FIELD_OVERHEAD;

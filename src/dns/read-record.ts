import { readUint16, readUint32 } from './bytes.ts';
import type { ResourceRecord } from './message.ts';
import { classes, types } from './numbers.ts';
import { fail, type Reader, readName } from './read-name.ts';
import { fieldEnd, type Shape, shapeOf } from './record-shapes.ts';

/** Upper limit for TTLs. A value with the top bit set is large, not negative (RFC 8767, 4). */
const MAX_TTL_SECONDS = 604_800;

const FIXED_LENGTH = 10;

export function readRecord(reader: Reader): ResourceRecord | undefined {
  const name = readName(reader);
  if (!name) return undefined;
  const { bytes, at } = reader;
  if (at + FIXED_LENGTH > bytes.length) return fail(reader, 'a record extends past the end');
  const type = readUint16(bytes, at);
  const clas = readUint16(bytes, at + 2);
  const ttl = readUint32(bytes, at + 4);
  reader.at = at + FIXED_LENGTH;
  const data = readData(reader, type, clas, reader.at + readUint16(bytes, at + 8));
  // OPT uses the TTL field for flags.
  return data && { name, type, class: clas, ttl: type === types.OPT ? ttl : Math.min(ttl, MAX_TTL_SECONDS), data };
}

function readData(reader: Reader, type: number, clas: number, end: number): Uint8Array | undefined {
  const { bytes, at } = reader;
  if (end > bytes.length) return fail(reader, 'a record extends past the end');
  const shape = shapeOf(type);
  if (shape && shape.names !== 'whole') return readNamedData(reader, shape, end);
  if (clas === classes.IN && !isAddressLength(type, end - at)) return fail(reader, 'an address has the wrong length');
  reader.at = end;
  return bytes.slice(at, end);
}

const isAddressLength = (type: number, length: number): boolean =>
  type === types.A ? length === 4 : type !== types.AAAA || length === 16;

/** RDATA with names decompressed, because pointers are valid only within this message. */
function readNamedData(reader: Reader, { fields }: Shape, end: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    if (field === 'name') {
      const name = readName(reader);
      if (!name) return undefined;
      parts.push(name);
    } else {
      const start = reader.at;
      reader.at = fieldEnd(field, reader.bytes, start, end);
      if (reader.at <= end) parts.push(reader.bytes.slice(start, reader.at));
    }
    if (reader.at > end) return fail(reader, 'record data is longer than its length field');
  }
  if (reader.at !== end) return fail(reader, 'record data is shorter than its length field');
  return parts.length === 1 ? parts[0] : joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

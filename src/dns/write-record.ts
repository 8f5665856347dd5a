import type { ResourceRecord } from './message.ts';
import { MAX_MESSAGE_LENGTH } from './numbers.ts';
import { type Field, fieldEnd, shapeOf } from './record-shapes.ts';
import { wholeNameEnd } from './wire-names.ts';
import { type Writer, writeName, writeShort } from './write-name.ts';

const FIXED_LENGTH = 10;
const nothing: readonly Field[] = [];

/** Upper bound: compression only makes it shorter. */
export const longestWritten = ({ name, data }: ResourceRecord): number =>
  data.length > MAX_MESSAGE_LENGTH ? Number.POSITIVE_INFINITY : name.length + FIXED_LENGTH + data.length;

export function writeRecord(writer: Writer, record: ResourceRecord): void {
  writeName(writer, record.name, 0);
  writeShort(writer, record.type);
  writeShort(writer, record.class);
  writeShort(writer, record.ttl >>> 16);
  writeShort(writer, record.ttl & 0xffff);
  const lengthAt = writer.at;
  writer.at += 2;
  writeData(writer, record);
  const length = writer.at - lengthAt - 2;
  writer.bytes[lengthAt] = length >>> 8;
  writer.bytes[lengthAt + 1] = length;
}

/** Only names in RFC 1035 types may be compressed (RFC 3597, 4). */
function writeData(writer: Writer, { type, data }: ResourceRecord): void {
  const shape = shapeOf(type);
  let at = 0;
  for (const field of shape?.names === 'shortened' ? shape.fields : nothing) {
    const end = field === 'name' ? wholeNameEnd(data, at, data.length) : fieldEnd(field, data, at, data.length);
    if (end === -1) break;
    if (field === 'name') writeName(writer, data, at);
    else writeBytes(writer, data.subarray(at, end));
    at = Math.min(end, data.length);
  }
  writeBytes(writer, data.subarray(at));
}

function writeBytes(writer: Writer, bytes: Uint8Array): void {
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}

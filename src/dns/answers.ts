import { readUint16, writeUint16, writeUint32 } from './bytes.ts';
import { HEADER_LENGTH, OUR_UDP_SIZE, types } from './numbers.ts';
import { OPTION_HEADER_LENGTH, padAfterOpt, paddingLength } from './opt.ts';
import type { Question } from './question.ts';

/** Writes a small response into a caller's buffer. Reused for many responses; allocates nothing. */
export type MessageWriter = {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Limit of the response; records are limited to `room`. */
  limit: number;
  room: number;
  /** Class of the records, taken from the question. */
  class: number;
  /** Offset of the OPT record; 0 if there is none yet. */
  optAt: number;
};

// Header offsets of the section counts.
const counts = { answer: 6, authority: 8, additional: 10 } as const;
export type Section = keyof typeof counts;

const RECORD_LENGTH = 12;
const OPT_LENGTH = 11;

// Reserved for OPT with an EDE text of 64 bytes, a cookie and a keepalive option.
const OPT_ROOM = 128;

export const newMessageWriter = (bytes: Uint8Array): MessageWriter => ({
  bytes,
  start: 0,
  end: 0,
  limit: 0,
  room: 0,
  class: 0,
  optAt: 0,
});

/** Points the writer at `length` bytes from `start`; at least 512. */
export function openWriter(writer: MessageWriter, bytes: Uint8Array, start: number, length: number): void {
  writer.bytes = bytes;
  writer.start = start;
  writer.limit = start + length;
}

/** Writes header and question of the response. May overwrite the query in place if nothing after its question is needed. */
export function startResponse(writer: MessageWriter, question: Question, query: Uint8Array, code: number): void {
  const { bytes, start, limit } = writer;
  const questionLength = question.questionEnd - question.at;
  writer.room = limit - (question.edns ? OPT_ROOM : 0);
  writer.end = start + questionLength;
  writer.class = question.class;
  writer.optAt = 0;
  writeUint16(bytes, start, question.id);
  bytes[start + 2] = 0x80 | (question.opcode << 3) | (question.recursionDesired ? 0x01 : 0);
  bytes[start + 3] = 0x80 | (question.checkingDisabled ? 0x10 : 0) | (code & 0xf);
  for (let i = 4; i < HEADER_LENGTH; i++) bytes[start + i] = 0;
  bytes[start + 5] = questionLength > HEADER_LENGTH ? 1 : 0;
  for (let i = HEADER_LENGTH; i < questionLength; i++) bytes[start + i] = query[question.at + i]!;
}

/** Adds a record owned by the query name. Sets TC if it does not fit. */
export function appendRecord(
  writer: MessageWriter,
  section: Section,
  type: number,
  ttlSeconds: number,
  data: Uint8Array,
): boolean {
  const { bytes, start, end } = writer;
  if (end + RECORD_LENGTH + data.length > writer.room) {
    bytes[start + 2]! |= 0x02;
    return false;
  }
  writeUint16(bytes, end, 0xc000 | HEADER_LENGTH);
  writeUint16(bytes, end + 2, type);
  writeUint16(bytes, end + 4, writer.class);
  writeUint32(bytes, end + 6, ttlSeconds);
  writeUint16(bytes, end + 10, data.length);
  for (let i = 0; i < data.length; i++) bytes[end + RECORD_LENGTH + i] = data[i]!;
  writer.end = end + RECORD_LENGTH + data.length;
  addOne(bytes, start + counts[section]);
  return true;
}

/** Adds OPT if the query had one: our UDP size and the query's DO bit, no other flags (RFC 8906, 8.2.4). Call after all records. */
export function appendOpt(writer: MessageWriter, question: Question, code: number): void {
  if (!question.edns) return;
  const { bytes, start, end } = writer;
  bytes[end] = 0;
  writeUint16(bytes, end + 1, types.OPT);
  writeUint16(bytes, end + 3, OUR_UDP_SIZE);
  bytes[end + 5] = code >>> 4;
  bytes[end + 6] = 0;
  bytes[end + 7] = question.dnssecOk ? 0x80 : 0;
  bytes[end + 8] = 0;
  writeUint16(bytes, end + 9, 0);
  writer.optAt = end;
  writer.end = end + OPT_LENGTH;
  addOne(bytes, start + counts.additional);
}

/** Adds an option to OPT; ignored without OPT or space. */
export function appendOption(writer: MessageWriter, code: number, data: Uint8Array): boolean {
  const { bytes, end, optAt } = writer;
  const next = end + OPTION_HEADER_LENGTH + data.length;
  if (optAt === 0 || next > writer.limit) return false;
  writeUint16(bytes, end, code);
  writeUint16(bytes, end + 2, data.length);
  for (let i = 0; i < data.length; i++) bytes[end + OPTION_HEADER_LENGTH + i] = data[i]!;
  writeUint16(bytes, optAt + 9, next - optAt - OPT_LENGTH);
  writer.end = next;
  return true;
}

/** Pads to a multiple of the block size. Encrypted transports only; call last. */
export function appendPadding(writer: MessageWriter, block: number): void {
  const { bytes, start, end, limit, optAt } = writer;
  if (optAt === 0 || end + OPTION_HEADER_LENGTH > limit) return;
  writer.end = padAfterOpt(bytes, optAt, end, paddingLength(end - start, block, limit - start));
}

function addOne(bytes: Uint8Array, at: number): void {
  writeUint16(bytes, at, readUint16(bytes, at) + 1);
}

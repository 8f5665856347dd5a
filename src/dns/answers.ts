import { HEADER_LENGTH, OUR_UDP_SIZE, types } from './numbers.ts';
import { OPTION_HEADER_LENGTH, padAfterOpt, paddingLength } from './opt.ts';
import type { Question } from './question.ts';
import { putLong, putShort, short } from './shorts.ts';

/** A small answer in the making, in somebody else's bytes. One object serves for many answers; nothing here allocates. */
export type Draft = {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** No answer goes beyond this, and no record beyond `room`. */
  limit: number;
  room: number;
  /** The class of its records, which is that of the question. */
  class: number;
  /** Where the OPT record begins; 0 while there is none. */
  optAt: number;
};

// Where the header counts the records of a section.
const counts = { answer: 6, authority: 8, additional: 10 } as const;
export type Section = keyof typeof counts;

const RECORD_LENGTH = 12;
const OPT_LENGTH = 11;

// What records leave free, so that an OPT with a reason of 64 bytes, a cookie and a keepalive fits always.
const OPT_ROOM = 128;

export const newDraft = (bytes: Uint8Array): Draft => ({
  bytes,
  start: 0,
  end: 0,
  limit: 0,
  room: 0,
  class: 0,
  optAt: 0,
});

/**
 * Begins the answer to a question with its header and the question as it was asked. At least 512 bytes must be allowed. It may be
 * made in the query's own place, if nothing behind its question is needed any more.
 */
export function startAnswer(
  draft: Draft,
  start: number,
  length: number,
  question: Question,
  query: Uint8Array,
  code: number,
): void {
  const { bytes } = draft;
  const asked = question.questionEnd - question.at;
  draft.start = start;
  draft.limit = start + length;
  draft.room = start + length - (question.edns ? OPT_ROOM : 0);
  draft.end = start + asked;
  draft.class = question.class;
  draft.optAt = 0;
  putShort(bytes, start, question.id);
  bytes[start + 2] = 0x80 | (question.opcode << 3) | (question.recursionDesired ? 0x01 : 0);
  bytes[start + 3] = 0x80 | (question.checkingDisabled ? 0x10 : 0) | (code & 0xf);
  for (let i = 4; i < HEADER_LENGTH; i++) bytes[start + i] = 0;
  bytes[start + 5] = asked > HEADER_LENGTH ? 1 : 0;
  for (let i = HEADER_LENGTH; i < asked; i++) bytes[start + i] = query[question.at + i]!;
}

/** Adds a record of the name that was asked for. Without room for it the answer is marked as truncated. */
export function appendRecord(
  draft: Draft,
  section: Section,
  type: number,
  ttlSeconds: number,
  data: Uint8Array,
): boolean {
  const { bytes, start, end } = draft;
  if (end + RECORD_LENGTH + data.length > draft.room) {
    bytes[start + 2]! |= 0x02;
    return false;
  }
  putShort(bytes, end, 0xc000 | HEADER_LENGTH);
  putShort(bytes, end + 2, type);
  putShort(bytes, end + 4, draft.class);
  putLong(bytes, end + 6, ttlSeconds);
  putShort(bytes, end + 10, data.length);
  for (let i = 0; i < data.length; i++) bytes[end + RECORD_LENGTH + i] = data[i]!;
  draft.end = end + RECORD_LENGTH + data.length;
  addOne(bytes, start + counts[section]);
  return true;
}

/** Adds our OPT record, if the query had one: our size, its DO bit, no other flag of it (RFC 8906, 8.2.4). Goes behind all records. */
export function appendOpt(draft: Draft, question: Question, code: number): void {
  if (!question.edns) return;
  const { bytes, start, end } = draft;
  bytes[end] = 0;
  putShort(bytes, end + 1, types.OPT);
  putShort(bytes, end + 3, OUR_UDP_SIZE);
  bytes[end + 5] = code >>> 4;
  bytes[end + 6] = 0;
  bytes[end + 7] = question.dnssecOk ? 0x80 : 0;
  bytes[end + 8] = 0;
  putShort(bytes, end + 9, 0);
  draft.optAt = end;
  draft.end = end + OPT_LENGTH;
  addOne(bytes, start + counts.additional);
}

/** Adds an option to our OPT record. Nothing happens where there is none, or no room. */
export function appendOption(draft: Draft, code: number, data: Uint8Array): boolean {
  const { bytes, end, optAt } = draft;
  const next = end + OPTION_HEADER_LENGTH + data.length;
  if (optAt === 0 || next > draft.limit) return false;
  putShort(bytes, end, code);
  putShort(bytes, end + 2, data.length);
  for (let i = 0; i < data.length; i++) bytes[end + OPTION_HEADER_LENGTH + i] = data[i]!;
  putShort(bytes, optAt + 9, next - optAt - OPT_LENGTH);
  draft.end = next;
  return true;
}

/** Makes the length a multiple of the block. Only for encrypted transports, and only as the last thing of all. */
export function appendPadding(draft: Draft, block: number): void {
  const { bytes, start, end, limit, optAt } = draft;
  if (optAt === 0 || end + OPTION_HEADER_LENGTH > limit) return;
  draft.end = padAfterOpt(bytes, optAt, end, paddingLength(end - start, block, limit - start));
}

function addOne(bytes: Uint8Array, at: number): void {
  putShort(bytes, at, short(bytes, at) + 1);
}

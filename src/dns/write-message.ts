import { writeUint16 } from './bytes.ts';
import type { Edns, Message, ResourceRecord } from './message.ts';
import { HEADER_LENGTH, MAX_MESSAGE_LENGTH, rcodes } from './numbers.ts';
import { OPTION_HEADER_LENGTH, opt, padAfterOpt, paddingLength } from './opt.ts';
import { nameKey } from './wire-names.ts';
import { type Writer, writeName, writeShort } from './write-name.ts';
import { longestWritten, writeRecord } from './write-record.ts';

export type WriteOptions = {
  /** Maximum length of the message; at least 12, the header. */
  readonly limit?: number;
  /** Pads the message to a multiple of this if it has EDNS (RFC 8467). */
  readonly padTo?: number;
};

// Shared buffer: messages are written synchronously, one at a time. Holds the longest message plus one record.
const scratch = new Uint8Array(3 * MAX_MESSAGE_LENGTH);

/**
 * Serialises a message. Whole RRsets that do not fit are dropped from the end (RFC 2181, 9); TC is set unless only additional
 * records are missing. The OPT record is kept.
 */
export function writeMessage(
  message: Message,
  { limit = MAX_MESSAGE_LENGTH, padTo = 0 }: WriteOptions = {},
): Uint8Array {
  const most = Math.min(limit, MAX_MESSAGE_LENGTH);
  const writer: Writer = { bytes: scratch, at: HEADER_LENGTH, suffixes: new Map() };
  const questions = writeQuestions(writer, message, most);
  const edns = message.edns && ednsThatFits(message, message.edns, most - writer.at);
  // Stop writing names after a dropped record: they could point into it.
  const isWhole = questions === message.questions.length;
  const room = isWhole ? most - (edns?.length ?? 0) : 0;

  const answer = writeSection(writer, message.answer, room);
  const cut = answer < message.answer.length;
  const authority = cut ? 0 : writeSection(writer, message.authority, room);
  const truncated = cut || authority < message.authority.length || !isWhole;
  const additional = truncated ? 0 : writeSection(writer, message.additional, room);

  if (edns) writeOpt(writer, edns, padTo, most);
  writeHeader(writer.bytes, message, { truncated, edns: edns !== undefined });
  writeUint16(writer.bytes, 4, questions);
  writeUint16(writer.bytes, 6, answer);
  writeUint16(writer.bytes, 8, authority);
  writeUint16(writer.bytes, 10, additional + (edns ? 1 : 0));
  return writer.bytes.slice(0, writer.at);
}

function writeQuestions(writer: Writer, { questions }: Message, most: number): number {
  let count = 0;
  for (const question of questions) {
    const start = writer.at;
    writeName(writer, question.name, 0);
    writeShort(writer, question.type);
    writeShort(writer, question.class);
    if (writer.at > most) {
      writer.at = start;
      break;
    }
    count++;
  }
  return count;
}

/** Writes OPT with its options, else without them, else omits it; without options it fits into any datagram. */
function ednsThatFits({ rcode }: Message, edns: Edns, room: number): Uint8Array | undefined {
  const complete = opt(edns, rcode);
  if (complete.length <= room) return complete;
  const bare = opt({ ...edns, options: [] }, rcode);
  return bare.length <= room ? bare : undefined;
}

/** Returns the number of records written. */
function writeSection(writer: Writer, records: readonly ResourceRecord[], room: number): number {
  const starts: number[] = [];
  for (const record of records) {
    const start = writer.at;
    if (start + longestWritten(record) <= writer.bytes.length) writeRecord(writer, record);
    if (writer.at > room || writer.at === start) {
      const border = recordSetBorder(records, starts.length);
      writer.at = starts[border] ?? start;
      return border;
    }
    starts.push(start);
  }
  return records.length;
}

/** The last index at or before this one that does not split an RRset. */
function recordSetBorder(records: readonly ResourceRecord[], index: number): number {
  const firstOfSet = new Map<string, number>();
  const first = records.map((record, at) => {
    const key = `${record.type} ${record.class} ${nameKey(record.name)}`;
    if (!firstOfSet.has(key)) firstOfSet.set(key, at);
    return firstOfSet.get(key)!;
  });
  let border = index;
  for (let at = records.length - 1; at >= border; at--) border = Math.min(border, first[at]!);
  return border;
}

function writeOpt(writer: Writer, bytes: Uint8Array, padTo: number, most: number): void {
  const start = writer.at;
  writer.bytes.set(bytes, start);
  writer.at += bytes.length;
  if (padTo === 0 || writer.at + OPTION_HEADER_LENGTH > most) return;
  writer.at = padAfterOpt(writer.bytes, start, writer.at, paddingLength(writer.at, padTo, most));
}

function writeHeader(bytes: Uint8Array, message: Message, written: { truncated: boolean; edns: boolean }): void {
  // The upper bits of an extended RCODE are in the OPT record; without it the lower bits would be a different RCODE.
  const rcode = message.rcode > 0xf && !written.edns ? rcodes.SERVFAIL : message.rcode & 0xf;
  writeUint16(bytes, 0, message.id);
  bytes[2] =
    (message.response ? 0x80 : 0) |
    (message.opcode << 3) |
    (message.authoritative ? 0x04 : 0) |
    (message.truncated || written.truncated ? 0x02 : 0) |
    (message.recursionDesired ? 0x01 : 0);
  bytes[3] =
    (message.recursionAvailable ? 0x80 : 0) |
    (message.authenticData ? 0x20 : 0) |
    (message.checkingDisabled ? 0x10 : 0) |
    rcode;
}

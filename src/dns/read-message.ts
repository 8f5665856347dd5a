import { err, ok, type Result } from '../kit/result.ts';
import { readUint16 } from './bytes.ts';
import type { Edns, EdnsOption, Message, MessageQuestion, ResourceRecord } from './message.ts';
import { HEADER_LENGTH, types } from './numbers.ts';
import { fail, newReader, type Reader, readName } from './read-name.ts';
import { readRecord } from './read-record.ts';

/** Parses a message, or returns the error. Trailing bytes are ignored. */
export function readMessage(bytes: Uint8Array): Result<Message, string> {
  if (bytes.length < HEADER_LENGTH) return err('it is shorter than a header');
  const reader = newReader(bytes);
  const message = readWhole(reader);
  return message ? ok(message) : err(reader.fault);
}

function readWhole(reader: Reader): Message | undefined {
  const { bytes } = reader;
  const high = bytes[2]!;
  const low = bytes[3]!;
  reader.at = HEADER_LENGTH;
  const questions = many(reader, readUint16(bytes, 4), readAsked);
  const answer = questions && many(reader, readUint16(bytes, 6), readRecord);
  const authority = answer && many(reader, readUint16(bytes, 8), readRecord);
  const last = authority && many(reader, readUint16(bytes, 10), readRecord);
  if (!last) return undefined;

  const opts = last.filter(isOpt);
  if (answer.some(isOpt) || authority.some(isOpt) || opts.length > 1)
    return fail(reader, 'it has a duplicate or misplaced OPT record');
  const opt = opts[0];
  const edns = opt && readEdns(reader, opt);
  if (opt && !edns) return undefined;

  return {
    id: readUint16(bytes, 0),
    response: (high & 0x80) !== 0,
    opcode: (high >> 3) & 0xf,
    authoritative: (high & 0x04) !== 0,
    truncated: (high & 0x02) !== 0,
    recursionDesired: (high & 0x01) !== 0,
    recursionAvailable: (low & 0x80) !== 0,
    authenticData: (low & 0x20) !== 0,
    checkingDisabled: (low & 0x10) !== 0,
    rcode: (opt ? (opt.ttl >>> 24) << 4 : 0) | (low & 0xf),
    questions,
    answer,
    authority,
    additional: opt ? last.filter((record) => record !== opt) : last,
    ...(edns && { edns }),
  };
}

const isOpt = (record: ResourceRecord): boolean => record.type === types.OPT;

/** Reads records one by one and fails at the first missing one, so that a false count costs nothing. */
function many<T>(reader: Reader, count: number, read: (reader: Reader) => T | undefined): T[] | undefined {
  const found: T[] = [];
  for (let i = 0; i < count; i++) {
    const one = read(reader);
    if (one === undefined) return undefined;
    found.push(one);
  }
  return found;
}

function readAsked(reader: Reader): MessageQuestion | undefined {
  const name = readName(reader);
  if (!name) return undefined;
  const { bytes, at } = reader;
  if (at + 4 > bytes.length) return fail(reader, 'a question extends past the end');
  reader.at = at + 4;
  return { name, type: readUint16(bytes, at), class: readUint16(bytes, at + 2) };
}

function readEdns(reader: Reader, opt: ResourceRecord): Edns | undefined {
  if (opt.name.length !== 1) return fail(reader, 'its OPT has a name');
  const options: EdnsOption[] = [];
  const { data } = opt;
  for (let at = 0; at < data.length; ) {
    const start = at + 4;
    at = start + readUint16(data, at + 2);
    if (at > data.length) return fail(reader, 'an option extends past the end');
    options.push({ code: readUint16(data, start - 4), data: data.subarray(start, at) });
  }
  return {
    udpSize: opt.class,
    version: (opt.ttl >>> 16) & 0xff,
    dnssecOk: (opt.ttl & 0x8000) !== 0,
    options,
  };
}

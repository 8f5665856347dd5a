import { err, ok, type Result } from '../kit/result.ts';
import { readUint16 } from './bytes.ts';
import type { Message, MessageQuestion, ResourceRecord } from './message.ts';
import { HEADER_LENGTH, optionCodes, types } from './numbers.ts';
import { followChain, MAX_SET_SIZE, signs } from './record-chain.ts';
import { isAtOrUnder, sameBytes, sameName, wholeNameEnd } from './wire-names.ts';

/**
 * Whether a message answers this question. A mismatch says nothing about the upstream: it may be spoofed, and the real response
 * may still arrive. `caseMatters` also compares case (0x20). The caller has compared the id.
 */
export function belongsTo(message: Uint8Array, question: MessageQuestion, caseMatters: boolean): boolean {
  if (message.length < HEADER_LENGTH || (message[2]! & 0xf8) !== 0x80 || readUint16(message, 4) !== 1) return false;
  const nameEnd = wholeNameEnd(message, HEADER_LENGTH, message.length);
  if (nameEnd === -1 || nameEnd + 4 > message.length) return false;
  const name = message.subarray(HEADER_LENGTH, nameEnd);
  return (
    (caseMatters ? sameBytes(name, question.name) : sameName(name, question.name)) &&
    readUint16(message, nameEnd) === question.type &&
    readUint16(message, nameEnd + 2) === question.class
  );
}

/**
 * Scrubs an upstream response: keeps the CNAME chain from the query name to its records and the proof of absence, drops everything
 * else as possible poisoning. Rejects responses that contradict themselves.
 */
export function scrub(
  message: Message,
  question: MessageQuestion,
  upstream: { readonly trusted: boolean },
): Result<Message, string> {
  const inClass = (record: ResourceRecord): boolean => record.class === question.class;
  const chain = followChain(question, message.answer.filter(inClass));
  if (!chain.ok) return chain;
  if (message.authority.length > MAX_SET_SIZE) return err('its authority section has more than 100 records');
  return ok({
    ...message,
    questions: [question],
    authenticData: message.authenticData && upstream.trusted,
    answer: chain.value.records,
    authority: relevantAuthority(message.authority.filter(inClass), chain.value.names),
    additional: [],
    ...(message.edns && {
      edns: {
        ...message.edns,
        options: message.edns.options.filter(({ code }) => code === optionCodes.extendedError),
      },
    }),
  });
}

/** SOA and NS of zones that contain a name of the chain, and denial-of-existence records signed by such a zone. */
function relevantAuthority(
  authority: readonly ResourceRecord[],
  names: readonly Uint8Array[],
): readonly ResourceRecord[] {
  const nameIn = (zone: Uint8Array): Uint8Array | undefined => names.find((name) => isAtOrUnder(name, zone));
  const signatures = authority.filter((record) => {
    const zone = signer(record);
    return zone !== undefined && isAtOrUnder(record.name, zone) && nameIn(zone) !== undefined;
  });
  const valid = authority.filter((record) => {
    if (record.type === types.SOA) return isAtOrUnder(names.at(-1)!, record.name);
    if (record.type === types.NS) return nameIn(record.name) !== undefined;
    if (record.type === types.RRSIG) return signatures.includes(record);
    return isProof(record) && signatures.some((by) => signs(by, record.type) && sameName(by.name, record.name));
  });
  // Owner names get the case of the query name, like the rest of the chain.
  return valid.map((record) => {
    const name = nameIn(record.name);
    return name ? { ...record, name: name.slice(name.length - record.name.length) } : record;
  });
}

const isProof = ({ type }: ResourceRecord): boolean => type === types.NSEC || type === types.NSEC3;

/** Signer's name, after 18 bytes of fixed fields (RFC 4034, 3.1). */
function signer({ type, data }: ResourceRecord): Uint8Array | undefined {
  const end = type === types.RRSIG ? wholeNameEnd(data, 18, data.length) : -1;
  return end === -1 ? undefined : data.subarray(18, end);
}

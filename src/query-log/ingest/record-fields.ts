import { field, wordsFor } from './record-ring.ts';

/*
 * A record splits into a query part (name, rule, address of the answer) and a client part (client, transport, result).
 * Both repeat often. Both are words of the ring.
 */

/** Whether addresses distinguish parts: only if they are stored or a GeoIP database is configured. */
export type Compared = { readonly client: boolean; readonly address: boolean };

const RCODE = 0xff00;
const ADDRESS_LENGTH = 0xff0000;
const RULE_LENGTH = 0xffff;
const NAME_LENGTH = 0xff0000;
const HAS_ADDRESS = 1 << 16;

/** Copies the query part of the record at `at` into `into`; returns its length. */
export function writeQueryPart(words: Int32Array, at: number, { address }: Compared, into: Int32Array): number {
  const answer = words[at + field.answer]!;
  const lengths = words[at + field.lengths]!;
  const nameEnd = at + field.bytes + wordsFor((answer & NAME_LENGTH) >>> 16);
  const ruleEnd = nameEnd + wordsFor(lengths & RULE_LENGTH);
  const hasAddress = (answer & RCODE) === 0 && (lengths & ADDRESS_LENGTH) !== 0;
  let to = 0;
  into[to++] = (lengths & RULE_LENGTH) | (hasAddress ? HAS_ADDRESS : 0);
  into[to++] = words[at + field.list]!;
  into[to++] = words[at + field.slot]!;
  for (let from = at + field.bytes; from < nameEnd; from++) into[to++] = inLowerCase(words[from]!);
  for (let from = nameEnd; from < ruleEnd; from++) into[to++] = words[from]!;
  if (!address || !hasAddress) return to;
  const addressEnd = ruleEnd + wordsFor((lengths & ADDRESS_LENGTH) >>> 16);
  for (let from = ruleEnd; from < addressEnd; from++) into[to++] = words[from]!;
  return to;
}

/** Copies the client part of the record at `at` into `into`; returns its length. */
export function writeClientPart(words: Int32Array, at: number, { client }: Compared, into: Int32Array): number {
  const answer = words[at + field.answer]!;
  into[0] = words[at + field.clientId]!;
  into[1] = words[at + field.kind]!;
  into[2] = answer & ~NAME_LENGTH;
  if (!client) return 3;
  const lengths = words[at + field.lengths]!;
  const before = [(answer & NAME_LENGTH) >>> 16, lengths & RULE_LENGTH, (lengths & ADDRESS_LENGTH) >>> 16];
  let from = before.reduce((sum, length) => sum + wordsFor(length), at + field.bytes);
  const end = from + wordsFor(lengths >>> 24);
  let to = 3;
  while (from < end) into[to++] = words[from++]!;
  return to;
}

/** Converts four ASCII bytes to lower case. Label lengths are below the letters. */
export function inLowerCase(word: number): number {
  const low = word & 0x7f7f7f7f;
  // The addition carries into the high bit of a byte that is at least "A", or above "Z".
  const isCapital = (low + 0x3f3f3f3f) & ~(low + 0x25252525) & ~word & 0x80808080;
  return word | (isCapital >>> 2);
}

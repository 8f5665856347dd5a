import { field, wordsFor } from './record-ring.ts';

/*
 * A record in two halves, of each of which there are far fewer different ones than of records: its subject, which is the name with the rule
 * that it met and where the answer led; and its circumstances, which are who asked, how, and what came of it. Both are words of the ring.
 */

/** Addresses tell halves apart only where something is known of them, or they are kept. */
export type Compared = { readonly client: boolean; readonly address: boolean };

const RCODE = 0xff00;
const ADDRESS_LENGTH = 0xff0000;
const RULE_LENGTH = 0xffff;
const NAME_LENGTH = 0xff0000;
const HAS_ADDRESS = 1 << 16;

/** Writes the subject of the record at a word of a ring from a place on and gives where it ends. */
export function writeQueryPart(
  words: Int32Array,
  at: number,
  { address }: Compared,
  into: Int32Array,
  start: number,
): number {
  const answer = words[at + field.answer]!;
  const lengths = words[at + field.lengths]!;
  const nameEnd = at + field.bytes + wordsFor((answer & NAME_LENGTH) >>> 16);
  const ruleEnd = nameEnd + wordsFor(lengths & RULE_LENGTH);
  const hasAddress = (answer & RCODE) === 0 && (lengths & ADDRESS_LENGTH) !== 0;
  let to = start;
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

/** Writes the circumstances of the record at a word of a ring and gives their length. */
export function writeClientPart(words: Int32Array, at: number, { client }: Compared, into: Int32Array): number {
  const answer = words[at + field.answer]!;
  into[0] = words[at + field.who]!;
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

/** Sets the bit that makes a small letter of a capital one in each of four bytes; lengths of labels are below the letters. */
export function inLowerCase(word: number): number {
  const low = word & 0x7f7f7f7f;
  // Adding carries into the highest bit of a byte where it is at least "A", and where it is above "Z".
  const isCapital = (low + 0x3f3f3f3f) & ~(low + 0x25252525) & ~word & 0x80808080;
  return word | (isCapital >>> 2);
}

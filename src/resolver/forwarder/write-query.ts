import { HEADER_LENGTH, OUR_UDP_SIZE, optionCodes, types } from '../../dns/numbers.ts';
import { OPTION_HEADER_LENGTH } from '../../dns/opt.ts';
import { foldByte } from '../../kit/fold-byte.ts';
import type { ClientCookies } from '../upstream/client-cookies.ts';
import type { Random } from '../upstream/random.ts';
import { PADDED_TO } from '../upstream/upstream-query.ts';

/** The part of a question that is copied into the upstream query. */
export type AskedName = {
  readonly type: number;
  readonly class: number;
  readonly dnssecOk: boolean;
  readonly checkingDisabled: boolean;
};

export type QueryStyle = {
  /** Source of random case (0x20); undefined for lower case. */
  readonly random: Random | undefined;
  readonly isPadded: boolean;
  /** Must not be combined with padding. */
  readonly cookies: ClientCookies | undefined;
  /** Requests the AD bit (RFC 6840, 5.7). */
  readonly authenticData: boolean;
};

const RECURSION_DESIRED = 0x01;
const AUTHENTIC_DATA = 0x20;
const CHECKING_DISABLED = 0x10;
const DNSSEC_OK = 0x80;

/**
 * Writes the same query as `queryBytes` of upstream/upstream-query.ts to the start of `into`, without allocating. The name is the range
 * from `at` to `end` of `bytes`, written in lower or random case. Returns the length.
 */
export function writeQuery(
  into: Uint8Array,
  id: number,
  { bytes, at, end }: { readonly bytes: Uint8Array; readonly at: number; readonly end: number },
  question: AskedName,
  { random, isPadded, cookies, authenticData }: QueryStyle,
): number {
  const nameLength = end - at;
  into[0] = id >> 8;
  into[1] = id;
  into[2] = RECURSION_DESIRED;
  into[3] = (question.checkingDisabled ? CHECKING_DISABLED : 0) | (authenticData ? AUTHENTIC_DATA : 0);
  into.fill(0, 4, HEADER_LENGTH);
  into[5] = 1;
  into[11] = 1;
  for (let i = 0; i < nameLength; i++) into[HEADER_LENGTH + i] = foldByte(bytes[at + i]!);
  if (random) mixCase(into, HEADER_LENGTH, nameLength, random);
  let to = HEADER_LENGTH + nameLength;
  to = writeShort(into, to, question.type);
  to = writeShort(into, to, question.class);
  into[to++] = 0;
  to = writeShort(into, to, types.OPT);
  to = writeShort(into, to, OUR_UDP_SIZE);
  to = writeShort(into, to, 0);
  to = writeShort(into, to, question.dnssecOk ? DNSSEC_OK << 8 : 0);
  if (cookies) return writeCookie(into, to, cookies.option());
  return isPadded ? writePadding(into, to) : writeShort(into, to, 0);
}

function writeCookie(into: Uint8Array, at: number, cookie: Uint8Array): number {
  let to = writeShort(into, at, OPTION_HEADER_LENGTH + cookie.length);
  to = writeShort(into, to, optionCodes.cookie);
  to = writeShort(into, to, cookie.length);
  for (let i = 0; i < cookie.length; i++) into[to + i] = cookie[i]!;
  return to + cookie.length;
}

/** Writes a padding option as the data of the OPT record, so that the length of the message is a multiple of 128 bytes (RFC 8467, 4.1). */
function writePadding(into: Uint8Array, at: number): number {
  const start = at + 2 + OPTION_HEADER_LENGTH;
  const padding = (PADDED_TO - (start % PADDED_TO)) % PADDED_TO;
  let to = writeShort(into, at, OPTION_HEADER_LENGTH + padding);
  to = writeShort(into, to, optionCodes.padding);
  to = writeShort(into, to, padding);
  into.fill(0, to, to + padding);
  return to + padding;
}

function writeShort(into: Uint8Array, at: number, value: number): number {
  into[at] = value >> 8;
  into[at + 1] = value;
  return at + 2;
}

/** One random bit per byte. */
function mixCase(into: Uint8Array, at: number, length: number, random: Random): void {
  let bits = 0;
  for (let i = 0; i < length; i++) {
    if ((i & 15) === 0) bits = random.short();
    const byte = into[at + i]!;
    if (byte >= 0x61 && byte <= 0x7a && ((bits >> (i & 15)) & 1) === 1) into[at + i] = byte ^ 0x20;
  }
}

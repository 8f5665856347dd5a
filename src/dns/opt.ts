import { writeUint16 } from './bytes.ts';
import type { Edns } from './message.ts';
import { optionCodes, types } from './numbers.ts';

export const OPTION_HEADER_LENGTH = 4;
const OPT_FIXED_LENGTH = 11;

/** OPT record for a message with this RCODE (RFC 6891, 6.1). */
export function opt({ udpSize, version, dnssecOk, options }: Edns, rcode: number): Uint8Array {
  const length = options.reduce((sum, { data }) => sum + OPTION_HEADER_LENGTH + data.length, 0);
  const bytes = new Uint8Array(OPT_FIXED_LENGTH + length);
  writeUint16(bytes, 1, types.OPT);
  writeUint16(bytes, 3, udpSize);
  bytes[5] = rcode >>> 4;
  bytes[6] = version;
  bytes[7] = dnssecOk ? 0x80 : 0;
  writeUint16(bytes, 9, length);
  let at = OPT_FIXED_LENGTH;
  for (const { code, data } of options) {
    writeUint16(bytes, at, code);
    writeUint16(bytes, at + 2, data.length);
    bytes.set(data, at + OPTION_HEADER_LENGTH);
    at += OPTION_HEADER_LENGTH + data.length;
  }
  return bytes;
}

/**
 * Length of the padding data that brings a message to a multiple of the block size, or to its limit (RFC 8467, 4.1),
 * not counting the option header of four bytes.
 */
export function paddingLength(length: number, block: number, most: number): number {
  const bare = length + OPTION_HEADER_LENGTH;
  return Math.min(Math.ceil(bare / block) * block, most) - bare;
}

/** Appends a padding option to OPT, which must be the last record; returns the new end. Needs space for an empty option. */
export function padAfterOpt(bytes: Uint8Array, optAt: number, end: number, padding: number): number {
  const optionsLength = end - optAt - OPT_FIXED_LENGTH + OPTION_HEADER_LENGTH + padding;
  writeUint16(bytes, optAt + 9, optionsLength);
  writeUint16(bytes, end, optionCodes.padding);
  writeUint16(bytes, end + 2, padding);
  const data = end + OPTION_HEADER_LENGTH;
  bytes.fill(0, data, data + padding);
  return data + padding;
}

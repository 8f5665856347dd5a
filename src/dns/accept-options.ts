import { readUint16 } from './bytes.ts';
import { isClientSubnet } from './client-subnet.ts';
import { optionCodes } from './numbers.ts';
import { OPTION_HEADER_LENGTH } from './opt.ts';
import type { Question } from './question.ts';

// More options than this are treated as an attack.
const MAX_OPTIONS = 32;

export const MAC_LENGTH = 6;
const MAC_TEXT_LENGTH = 17;
export const MAC_BASE64_LENGTH = 8;

/** Records the offsets of known EDNS options; rejects malformed ones. */
export function readQueryOptions(bytes: Uint8Array, at: number, end: number, into: Question): boolean {
  let next = at;
  for (let count = 0; next < end; count++) {
    if (count === MAX_OPTIONS) return false;
    const code = readUint16(bytes, next);
    const length = readUint16(bytes, next + 2);
    const data = next + OPTION_HEADER_LENGTH;
    next = data + length;
    if (next > end || !noteOption(bytes, code, data, length, into)) return false;
  }
  return true;
}

/** If an option is repeated, the first one is used (RFC 7873, 5.2 requires it for cookies). */
function noteOption(bytes: Uint8Array, code: number, at: number, length: number, into: Question): boolean {
  switch (code) {
    case optionCodes.cookie:
      if (!isCookieLength(length)) return false;
      if (into.cookieLength > 0) return true;
      into.cookieAt = at;
      into.cookieLength = length;
      return true;
    case optionCodes.clientSubnet:
      if (!isClientSubnet(bytes, at, length, 'query')) return false;
      if (into.subnetLength > 0) return true;
      into.subnetAt = at;
      into.subnetLength = length;
      return true;
    case optionCodes.device:
      if (into.deviceLength > 0) return true;
      into.deviceAt = at;
      into.deviceLength = length;
      return true;
    case optionCodes.mac:
      if (length === MAC_LENGTH) noteMac(at, length, into);
      return true;
    case optionCodes.macText:
      if (length === MAC_TEXT_LENGTH || length === MAC_BASE64_LENGTH) noteMac(at, length, into);
      return true;
    case optionCodes.padding:
      into.paddingAsked = true;
      return true;
    case optionCodes.extendedError:
      into.extendedErrorAsked = true;
      return true;
    case optionCodes.keepalive:
      into.keepaliveAsked = true;
      return true;
    default:
      return true;
  }
}

function noteMac(at: number, length: number, into: Question): void {
  if (into.macLength > 0) return;
  into.macAt = at;
  into.macLength = length;
}

/** Client cookie of 8 bytes, optionally followed by a server cookie of 8 to 32 bytes (RFC 7873, 5.2.2). */
const isCookieLength = (length: number): boolean => length === 8 || (length >= 16 && length <= 40);

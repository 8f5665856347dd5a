import { decode, reserve, type Text } from '../lines/text.ts';

const DOT = 0x2e;
const MAX_LABEL = 63;
const MAX_NAME = 253;

// Lower-case label characters; 0 for all others. None of them can end a quote, line or field in any output format, so an
// accepted name needs no escaping.
const lowered = new Uint8Array(256);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789-_') {
  lowered[character.charCodeAt(0)] = character.charCodeAt(0);
  lowered[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0);
}

/** Appends a name in lower case without trailing dot. For an invalid host name appends nothing and returns the reason. */
export function appendName(text: Text, bytes: Uint8Array, start: number, end: number): string | undefined {
  const stop = end > start && bytes[end - 1] === DOT ? end - 1 : end;
  if (stop - start > MAX_NAME) return `a host name has at most ${MAX_NAME} characters`;
  const target = reserve(text, stop - start);
  let to = text.length;
  let labelStart = start;
  let digitsOnly = true;
  for (let at = start; at < stop; at++) {
    const byte = bytes[at]!;
    if (byte === DOT) {
      if (!isLabelLength(at - labelStart)) return wrongLabel;
      labelStart = at + 1;
      digitsOnly = true;
    } else if (lowered[byte] === 0) {
      return whyNonAscii(bytes, start, stop);
    } else if (!isDigit(byte)) {
      digitsOnly = false;
    }
    target[to++] = byte === DOT ? DOT : lowered[byte]!;
  }
  if (!isLabelLength(stop - labelStart)) return wrongLabel;
  // Rejects numeric top-level domains (RFC 3696, section 2), because readers would parse the name as an address.
  if (digitsOnly) return `"${decode(bytes, start, stop)}" is an address, not a host name`;
  text.length = to;
  return undefined;
}

const isLabelLength = (length: number): boolean => length >= 1 && length <= MAX_LABEL;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const wrongLabel = `a label of a host name has 1 to ${MAX_LABEL} characters`;

function whyNonAscii(bytes: Uint8Array, start: number, end: number): string {
  const foreign = /[^a-z0-9._-]/iu.exec(decode(bytes, start, end))?.[0] ?? '';
  if (foreign < '\x80') return `${JSON.stringify(foreign)} is not allowed in a host name`;
  return `"${foreign}" is not ASCII: the transformation ConvertToAscii writes such names in ASCII`;
}

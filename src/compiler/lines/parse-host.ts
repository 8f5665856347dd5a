// Byte-level equivalents of the regular expressions in `rules/` for ASCII lines: on a million lines, a string and a regular
// expression per line would dominate the cost.

const BAR = 0x7c;
const CARET = 0x5e;
const COMMA = 0x2c;
const DASH = 0x2d;
const DOLLAR = 0x24;
const DOT = 0x2e;
const HASH = 0x23;
const PERCENT = 0x25;
const MAX_LABEL = 63;
const MAX_DOMAIN = 255;

const ADDRESS = 1;
const LOWER_OR_DIGIT = 2;
const LETTER_OR_DIGIT = 4;
const BLANK = 8;
const HOST_RULE = 16;
const NAME_END = 32;

const classes = new Uint8Array(256);
const mark = (characters: string, bit: number): void => {
  for (const character of characters) classes[character.charCodeAt(0)]! |= bit;
};
mark('abcdef0123456789.:[]', ADDRESS);
mark('abcdefghijklmnopqrstuvwxyz0123456789', LOWER_OR_DIGIT | LETTER_OR_DIGIT | HOST_RULE);
mark('ABCDEFGHIJKLMNOPQRSTUVWXYZ', LETTER_OR_DIGIT);
mark('-.', HOST_RULE);
mark(' \t\v\f\r\n', BLANK | NAME_END);
mark('#', NAME_END);
classes.fill(NAME_END, 0x80);

/** Offset after the address of a hosts line, or -1 if it is not a hosts line. */
export function endOfAddress(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && classes[bytes[at]!]! & ADDRESS) at++;
  if (at === start) return -1;
  if (bytes[at] === PERCENT && at < end) {
    const zone = at + 1;
    for (at = zone; at < end && classes[bytes[at]!]! & LOWER_OR_DIGIT; at++);
    if (at === zone) return -1;
  }
  // At least one space and a name, not a comment, must follow the address.
  return at + 1 < end && classes[bytes[at]!]! & BLANK && bytes[at + 1] !== HASH ? at : -1;
}

/** Start of the next name of a hosts line, or `end` if a comment or nothing follows. */
export function nextName(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && classes[bytes[at]!]! & BLANK) at++;
  return at < end && bytes[at] === HASH ? end : at;
}

/** End of a name in a hosts line: a space, a comment, or a non-ASCII byte that may start either. */
export function endOfName(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && !(classes[bytes[at]!]! & NAME_END)) at++;
  return at;
}

/**
 * End of the name in `||name^` (lower-case letters, digits, dots, dashes), or -1 for any other line. A trailing `$` without
 * modifiers is ignored.
 */
export function endOfRuleName(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== BAR || bytes[start + 1] !== BAR) return -1;
  let at = start + 2;
  while (at < end && classes[bytes[at]!]! & HOST_RULE) at++;
  if (at === start + 2 || at >= end || bytes[at] !== CARET) return -1;
  return hasNoModifiers(bytes, at + 1, end) ? at : -1;
}

function hasNoModifiers(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true;
  if (bytes[start] !== DOLLAR) return false;
  for (let at = start + 1; at < end; at++) if (bytes[at] !== COMMA) return false;
  return true;
}

/** Labels of letters, digits and inner dashes with at least one dot; a trailing dot is allowed. */
export function isPlainDomain(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > MAX_DOMAIN) return false;
  let labelStart = start;
  let dots = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (classes[byte]! & LETTER_OR_DIGIT) continue;
    if (byte === DOT) {
      if (!isLabel(bytes, labelStart, at)) return false;
      dots++;
      labelStart = at + 1;
    } else if (byte !== DASH) {
      return false;
    }
  }
  return dots > 0 && (labelStart === end || isLabel(bytes, labelStart, end));
}

const isLabel = (bytes: Uint8Array, start: number, end: number): boolean =>
  end > start && end - start <= MAX_LABEL && bytes[start] !== DASH && bytes[end - 1] !== DASH;

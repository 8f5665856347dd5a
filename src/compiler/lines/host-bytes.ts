// What the regular expressions of `rules/` say, told byte by byte for the lines that are plain ASCII: on a million
// lines a regular expression per line, and the string it needs, would be most of the cost.

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

/** Where the blanks behind the address of a hosts line begin; -1 when this is no hosts line. */
export function endOfAddress(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && classes[bytes[at]!]! & ADDRESS) at++;
  if (at === start) return -1;
  if (bytes[at] === PERCENT && at < end) {
    const zone = at + 1;
    for (at = zone; at < end && classes[bytes[at]!]! & LOWER_OR_DIGIT; at++);
    if (at === zone) return -1;
  }
  // One blank parts the address from the names, and something that is no comment must follow it.
  return at + 1 < end && classes[bytes[at]!]! & BLANK && bytes[at + 1] !== HASH ? at : -1;
}

/** Where the next name of a hosts line begins; `end` when a comment or nothing follows. */
export function nextName(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && classes[bytes[at]!]! & BLANK) at++;
  return at < end && bytes[at] === HASH ? end : at;
}

/** Where a name of a hosts line ends: at a blank, a comment, or a byte that is not ASCII and may begin either. */
export function endOfName(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && !(classes[bytes[at]!]! & NAME_END)) at++;
  return at;
}

/**
 * Where the name of `||name^` ends, in lower-case letters, digits, dots and dashes; -1 when the line is something
 * else. A `$` without modifiers behind it changes nothing.
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

/** Labels of letters, digits and inner dashes, with a dot somewhere; one may stand at the end. */
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

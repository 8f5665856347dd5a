/**
 * A set of ASCII characters, one bit each. Names contain no other characters and no capitals: both are omitted from
 * every set, so that matching is case-insensitive.
 */
export type CharacterSet = bigint;

export const NO_CHARACTER: CharacterSet = 0n;
const ASCII: CharacterSet = (1n << 128n) - 1n;
const CAPITALS: CharacterSet = bitsOf('A', 'Z');
export const ANY_CHARACTER: CharacterSet = ASCII & ~CAPITALS;

export const opposite = (set: CharacterSet): CharacterSet => ANY_CHARACTER & ~set;

/** 1 or 0 for each ASCII code. */
export function membership(set: CharacterSet): Uint8Array {
  const members = new Uint8Array(128);
  for (let from = 0; from < 128; from += 32) {
    const bits = Number(BigInt.asUintN(32, set >> BigInt(from)));
    for (let bit = 0; bit < 32; bit++) members[from + bit] = (bits >>> bit) & 1;
  }
  return members;
}

/** The characters between two code points, inclusive; capitals count as lower case. */
export function characterRange(first: number, last: number): CharacterSet {
  if (first > 127) return NO_CHARACTER;
  const bits = (2n << BigInt(Math.min(last, 127))) - (1n << BigInt(first));
  return (bits | ((bits & CAPITALS) << 32n)) & ANY_CHARACTER;
}

export function charactersOf(set: CharacterSet): string {
  const members = membership(set);
  let characters = '';
  for (let code = 0; code < 128; code++) if (members[code] === 1) characters += String.fromCharCode(code);
  return characters;
}

function bitsOf(first: string, last: string): CharacterSet {
  return (2n << BigInt(last.charCodeAt(0))) - (1n << BigInt(first.charCodeAt(0)));
}

/** Ranges such as `a-z0-9_`. */
function ranges(written: string): CharacterSet {
  const parts = written.match(/.-.|./gs) ?? [];
  return parts.reduce((set, part) => set | characterRange(part.charCodeAt(0), part.charCodeAt(part.length - 1)), 0n);
}

/** `\d` and similar; a capital means the complement. */
export const escapedSets: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', ranges('0-9')],
  ['w', ranges('0-9A-Za-z_')],
  ['s', ranges('\t\n\f\r ')],
  ['D', opposite(ranges('0-9'))],
  ['W', opposite(ranges('0-9A-Za-z_'))],
  ['S', opposite(ranges('\t\n\f\r '))],
]);

/** `[:alpha:]` and similar, within the brackets of a set. */
export const posixSets: ReadonlyMap<string, CharacterSet> = new Map([
  ['alnum', ranges('0-9A-Za-z')],
  ['alpha', ranges('A-Za-z')],
  ['ascii', ranges('\0-\x7f')],
  ['blank', ranges('\t ')],
  ['cntrl', ranges('\0-\x1f\x7f')],
  ['digit', ranges('0-9')],
  ['graph', ranges('!-~')],
  ['lower', ranges('a-z')],
  ['print', ranges(' -~')],
  ['punct', ranges('!-/:-@[-`{-~')],
  ['space', ranges('\t-\r ')],
  ['upper', ranges('A-Z')],
  ['word', ranges('0-9A-Za-z_')],
  ['xdigit', ranges('0-9A-Fa-f')],
]);

/** `\p{L}`, `\pN`, `\p{Greek}`: the ASCII characters of a Unicode property; undefined if unknown. */
export function unicodeSet(property: string): CharacterSet | undefined {
  if (property === 'Any') return ANY_CHARACTER;
  if (!/^[A-Za-z_]+$/.test(property)) return undefined;
  const isMember = propertyTest(`\\p{gc=${property}}`) ?? propertyTest(`\\p{sc=${property}}`);
  if (!isMember) return undefined;
  let set = NO_CHARACTER;
  for (let code = 0; code < 128; code++)
    if (isMember.test(String.fromCharCode(code))) set |= characterRange(code, code);
  return set;
}

function propertyTest(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

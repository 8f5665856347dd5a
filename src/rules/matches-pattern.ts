import { type AsciiBytes, asciiBytesOf } from './ascii-bytes.ts';
import { readRegex } from './regex/regex.ts';
import type { Pattern } from './rule.ts';

type Wildcard = Extract<Pattern, { kind: 'wildcard' }>;

/** Matcher of a pattern for the text of a name in lower case. */
export function matchPattern(pattern: Pattern): (name: string) => boolean {
  switch (pattern.kind) {
    case 'exact':
      return (name) => name === pattern.name;
    case 'subdomains':
      return (name) => isBelow(name, pattern.name);
    case 'domain':
      return (name) => name === pattern.name || isBelow(name, pattern.name);
    case 'wildcard': {
      const match = matchWildcard(pattern);
      return (name) => match(asciiBytesOf(name));
    }
    case 'expression': {
      const expression = readRegex(pattern.source);
      return expression.ok ? expression.value.test : () => false;
    }
  }
}

const isBelow = (name: string, above: string): boolean =>
  name.endsWith(`.${above}`) && isLabelStart(asciiBytesOf(name).letters, name.length - above.length);

/**
 * Greedy: takes each piece at its first occurrence. With only asterisks between pieces this is always optimal.
 * Allocates nothing per name.
 */
export function matchWildcard({ start, pieces, end }: Wildcard): (name: AsciiBytes) => boolean {
  const [first, ...others] = pieces.map((piece) => asciiBytesOf(piece).letters);
  if (first === undefined) return () => true;
  const last = end === 'name' ? others.length - 1 : Infinity;
  return (name) => {
    const from = last === -1 ? findLast(name, first, 0) : 0;
    const at = from === -1 ? -1 : findFirst(name, first, start, from);
    if (at === -1) return false;
    let reached = at + first.length;
    for (let nth = 0; nth < others.length; nth++) {
      const piece = others[nth]!;
      const foundAt = nth === last ? findLast(name, piece, reached) : findPiece(name, piece, reached);
      if (foundAt === -1) return false;
      reached = foundAt + piece.length;
    }
    return true;
  };
}

function findPiece({ letters, length }: AsciiBytes, piece: Uint8Array, from: number): number {
  for (let at = from; at + piece.length <= length; at++) if (standsAt(letters, piece, at)) return at;
  return -1;
}

function findLast({ letters, length }: AsciiBytes, piece: Uint8Array, from: number): number {
  const at = length - piece.length;
  return at >= from && standsAt(letters, piece, at) ? at : -1;
}

function findFirst(name: AsciiBytes, piece: Uint8Array, start: Wildcard['start'], from: number): number {
  if (start === 'name') return from === 0 && piece.length <= name.length && standsAt(name.letters, piece, 0) ? 0 : -1;
  let at = findPiece(name, piece, from);
  while (start === 'label' && at > 0 && !isLabelStart(name.letters, at)) at = findPiece(name, piece, at + 1);
  return at;
}

function standsAt(letters: Uint8Array, piece: Uint8Array, at: number): boolean {
  for (let nth = 0; nth < piece.length; nth++) if (letters[at + nth] !== piece[nth]) return false;
  return true;
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;

/** A dot after a backslash is part of a label, unless the backslash itself is escaped. */
function isLabelStart(letters: Uint8Array, at: number): boolean {
  if (at === 0) return true;
  if (letters[at - 1] !== DOT) return false;
  let backslashes = 0;
  while (letters[at - 2 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 0;
}

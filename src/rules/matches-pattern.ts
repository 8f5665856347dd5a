import { readExpression } from './expression.ts';
import type { Pattern } from './rule.ts';

type Wildcard = Extract<Pattern, { kind: 'wildcard' }>;

/** What a pattern means, for the text of a name in lower case. */
export function matchPattern(pattern: Pattern): (name: string) => boolean {
  switch (pattern.kind) {
    case 'exact':
      return (name) => name === pattern.name;
    case 'subdomains':
      return (name) => isBelow(name, pattern.name);
    case 'domain':
      return (name) => name === pattern.name || isBelow(name, pattern.name);
    case 'wildcard':
      return (name) => matchWildcard(pattern, name);
    case 'expression': {
      const expression = readExpression(pattern.source);
      return expression.ok ? expression.value.test : () => false;
    }
  }
}

const isBelow = (name: string, above: string): boolean =>
  name.endsWith(`.${above}`) && isLabelStart(name, name.length - above.length);

/** Takes each piece as early as it can stand. What lies between pieces is anything, so no later place could do better. */
function matchWildcard({ start, pieces, end }: Wildcard, name: string): boolean {
  const [first, ...others] = pieces;
  if (first === undefined) return true;
  const isLast = others.length === 0 && end === 'name';
  const from = isLast ? findLast(name, first, 0) : 0;
  const at = from === -1 ? -1 : findFirst(name, first, start, from);
  if (at === -1) return false;
  let reached = at + first.length;
  for (const [nth, piece] of others.entries()) {
    const place =
      nth === others.length - 1 && end === 'name' ? findLast(name, piece, reached) : name.indexOf(piece, reached);
    if (place === -1) return false;
    reached = place + piece.length;
  }
  return true;
}

function findLast(name: string, piece: string, from: number): number {
  const at = name.length - piece.length;
  return at >= from && name.endsWith(piece) ? at : -1;
}

function findFirst(name: string, piece: string, start: Wildcard['start'], from: number): number {
  if (start === 'name') return from === 0 && name.startsWith(piece) ? 0 : -1;
  let at = name.indexOf(piece, from);
  while (start === 'label' && at > 0 && !isLabelStart(name, at)) at = name.indexOf(piece, at + 1);
  return at;
}

/** A dot behind a backslash is part of a label, unless the backslash itself is written so. */
function isLabelStart(name: string, at: number): boolean {
  if (at === 0) return true;
  if (name[at - 1] !== '.') return false;
  let backslashes = 0;
  while (name[at - 2 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 0;
}

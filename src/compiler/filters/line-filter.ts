import { type Lines, lineText } from '../lines/lines.ts';
import type { Drop } from '../transformations/transformation.ts';
import { foldCase, matchesWildcard, type Pattern, parsePattern } from './pattern.ts';
import { addLiteral, createShortcutIndex, visitCandidates } from './shortcut-index.ts';

/** Exclusions or inclusions of one level; also tracks which patterns matched anything. */
export type LineFilter = {
  /** Index of a matching pattern, or -1. */
  match(lines: Lines, at: number): number;
  readonly patterns: readonly string[];
  unused(): readonly string[];
};

/** Undefined without patterns. Throws on an invalid pattern. */
export function createLineFilter(texts: readonly string[]): LineFilter | undefined {
  const patterns = [...new Set(texts)].filter((text) => text !== '');
  if (patterns.length === 0) return undefined;
  const parsed = patterns.map(parseOrThrow);
  const used = new Uint8Array(patterns.length);
  const index = createShortcutIndex();
  // Patterns that cannot be indexed are tried on every line.
  const always = parsed.flatMap((pattern, item) => (addLiteral(index, literalOf(pattern), item) ? [] : [item]));

  const match = (lines: Lines, at: number): number => {
    const line = lazyTexts(lines, at);
    let found = -1;
    const test = (item: number): void => {
      // After the first match, only patterns that have not matched yet are tried, to report unused ones.
      if ((found !== -1 && used[item] === 1) || !matches(parsed[item]!, line)) return;
      used[item] = 1;
      if (found === -1) found = item;
    };
    visitCandidates(index, lines.text.bytes, lines.start[at]!, lines.end[at]!, test);
    for (const item of always) test(item);
    return found;
  };
  return { match, patterns, unused: () => patterns.filter((_, item) => used[item] === 0) };
}

export function exclude(lines: Lines, filter: LineFilter, drop: Drop): void {
  for (let at = 0; at < lines.count; at++) {
    const item = filter.match(lines, at);
    if (item !== -1) drop(at, 'excluded', undefined, filter.patterns[item]);
  }
}

export function include(lines: Lines, filter: LineFilter, drop: Drop): void {
  for (let at = 0; at < lines.count; at++) if (filter.match(lines, at) === -1) drop(at, 'not included');
}

function parseOrThrow(text: string): Pattern {
  const pattern = parsePattern(text);
  if (!pattern.ok) throw new Error(pattern.error);
  return pattern.value;
}

/** A literal contained in every line the pattern matches. */
function literalOf(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'text':
      return pattern.text;
    case 'wildcard':
      // The index is case-insensitive for ASCII only.
      return longest(pattern.parts.flatMap((part) => part.match(/[\x20-\x7e]+/g) ?? []));
    case 'regular expression':
      return '';
  }
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');

type Texts = { text(): string; folded(): string };

function lazyTexts(lines: Lines, at: number): Texts {
  let text: string | undefined;
  let folded: string | undefined;
  return {
    text: () => (text ??= lineText(lines, at)),
    folded: () => (folded ??= foldCase(lineText(lines, at))),
  };
}

function matches(pattern: Pattern, line: Texts): boolean {
  switch (pattern.kind) {
    case 'text':
      return line.text().includes(pattern.text);
    case 'wildcard':
      return matchesWildcard(pattern.parts, line.folded());
    case 'regular expression':
      return pattern.expression.test(line.text());
  }
}

import { err, ok, type Result } from '../../kit/result.ts';

/** Pattern of an exclusion or inclusion. */
export type Pattern =
  | { readonly kind: 'text'; readonly text: string }
  /** The case-folded literals between asterisks, in order. */
  | { readonly kind: 'wildcard'; readonly parts: readonly string[] }
  | { readonly kind: 'regular expression'; readonly expression: RegExp };

export function parsePattern(text: string): Result<Pattern, string> {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    try {
      return ok({ kind: 'regular expression', expression: new RegExp(text.slice(1, -1), 'mi') });
    } catch (error) {
      return err((error as SyntaxError).message);
    }
  }
  if (text.includes('*')) return ok({ kind: 'wildcard', parts: text.split(/\*+/).map(foldCase) });
  return ok({ kind: 'text', text });
}

/**
 * Greedy left-to-right match of each part at its first occurrence. With only asterisks between parts this is always
 * optimal, so the time is linear for any number of asterisks.
 */
export function matchesWildcard(parts: readonly string[], folded: string): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (folded.length < first.length + last.length || !folded.startsWith(first) || !folded.endsWith(last)) return false;
  let at = first.length;
  const end = folded.length - last.length;
  for (let part = 1; part < parts.length - 1; part++) {
    at = folded.indexOf(parts[part]!, at);
    if (at === -1) return false;
    at += parts[part]!.length;
  }
  return at <= end;
}

/** Case folding of JavaScript's `i` flag: per character, never from non-ASCII to ASCII. */
export function foldCase(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toUpperCase();
  let folded = '';
  for (let at = 0; at < text.length; at++) {
    const upper = text[at]!.toUpperCase();
    const stays = upper.length !== 1 || (text.charCodeAt(at) >= 0x80 && upper.charCodeAt(0) < 0x80);
    folded += stays ? text[at] : upper;
  }
  return folded;
}

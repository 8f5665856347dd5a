import { isCosmetic } from '../../rules/adblock-rule.ts';
import { isHostsLine } from '../../rules/hosts-line.ts';
import { pick } from '../lines/blocks.ts';
import { isComment } from '../lines/line-kind.ts';
import { lineText, replaceLine } from '../lines/lines.ts';
import type { Transformation } from './transformation.ts';

/** Converts internationalised host names to ASCII (UTS 46). */
export const convertToAscii: Transformation = (lines) => {
  for (const at of pick(lines, 'pickNonAscii')) {
    if (isComment(lines.text.bytes, lines.start[at]!, lines.end[at]!)) continue;
    const rule = lineText(lines, at);
    // Text after the separator of a cosmetic rule is not a host name, even if it looks like one.
    if (isCosmetic(rule) && !isHostsLine(rule)) continue;
    const converted = rule.replace(dottedWord, (word) => toAsciiName(word) ?? word);
    if (converted !== rule) replaceLine(lines, at, converted);
  }
};

// Anchored to the start of a word: otherwise a long word without dots would take quadratic time.
const dottedWord = /(?<![^\s^$|=])[^\s^$|=]+(?:\.[^\s^$|=]+)+/g;
// Characters that a URL parser would cut off or reject: words with these are left unchanged.
const moreThanAName = /[\x00-\x1f/:?#@%\\<>[\]]/;

function toAsciiName(word: string): string | undefined {
  if (/^[\x00-\x7f]*$/.test(word) || moreThanAName.test(word)) return undefined;
  return URL.parse(`ws://${word}`)?.hostname;
}

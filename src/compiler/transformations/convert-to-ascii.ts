import { isCosmetic } from '../../rules/adblock-rule.ts';
import { isHostsLine } from '../../rules/hosts-line.ts';
import { pick } from '../lines/blocks.ts';
import { isComment } from '../lines/line-kind.ts';
import { lineText, replaceLine } from '../lines/lines.ts';
import type { Transformation } from './transformation.ts';

/** Writes international host names in their ASCII form (UTS 46). */
export const convertToAscii: Transformation = (lines) => {
  for (const at of pick(lines, 'pickForeign')) {
    if (isComment(lines.text.bytes, lines.start[at]!, lines.end[at]!)) continue;
    const rule = lineText(lines, at);
    // What follows the separator of a cosmetic rule is no host name, however much it looks like one.
    if (isCosmetic(rule) && !isHostsLine(rule)) continue;
    const converted = rule.replace(dottedWord, (word) => toAsciiName(word) ?? word);
    if (converted !== rule) replaceLine(lines, at, converted);
  }
};

// Sought from the beginning of a word only: a word of a megabyte without a dot would be tried from each character on.
const dottedWord = /(?<![^\s^$|=])[^\s^$|=]+(?:\.[^\s^$|=]+)+/g;
// What a URL parser would cut off or refuse: a word that holds these is more than a host name and stays as it is.
const moreThanAName = /[\x00-\x1f/:?#@%\\<>[\]]/;

function toAsciiName(word: string): string | undefined {
  if (/^[\x00-\x7f]*$/.test(word) || moreThanAName.test(word)) return undefined;
  return URL.parse(`ws://${word}`)?.hostname;
}

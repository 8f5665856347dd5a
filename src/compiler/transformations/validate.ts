import { splitAdblockRule, splitModifiers } from '../../rules/adblock-rule.ts';
import { normaliseIpPattern } from '../../rules/ip-pattern.ts';
import { type Validation, whyInvalid } from '../../rules/validate-rule.ts';
import { isClearlyValid, isSuffix } from '../lines/clear-names.ts';
import { isBlank, isComment, isRemark } from '../lines/line-kind.ts';
import { type Lines, lineText, replaceLine } from '../lines/lines.ts';
import { byBlock, upwards } from './by-block.ts';
import type { Drop, Transformation } from './transformation.ts';

const BANG = 0x21;
const HASH = 0x23;

/** Drops what a DNS filter cannot use, with the comments above it. */
export const validate =
  (validation: Validation): Transformation =>
  (lines, drop) => {
    if (validation.allowIp) normaliseAddresses(lines, drop);
    upwards(lines, false, (from, to, droppedBelow) => dropInvalid(lines, from, to, droppedBelow, drop, validation));
  };

/** Works through a block from the last line to the first; says whether the rule at its top was dropped. */
function dropInvalid(
  lines: Lines,
  first: number,
  last: number,
  isDroppedBelow: boolean,
  drop: Drop,
  validation: Validation,
): boolean {
  const { start, end, clear } = lines;
  const { bytes } = lines.text;
  let droppedBelow = isDroppedBelow;
  for (let at = last - 1; at >= first; at--) {
    const from = start[at]!;
    const to = end[at]!;
    if (clear[at] === 1 ? !isSuffix(bytes, from + 2, to - 1) : isClearlyValid(bytes, from, to)) {
      droppedBelow = false;
    } else if (isComment(bytes, from, to) || isBlank(bytes, from, to)) {
      // A line of blanks, unlike an empty one, parts a rule from the comments above it.
      if (droppedBelow && isRemark(bytes, from, to)) drop(at, 'belongs to a dropped rule');
      else droppedBelow = false;
    } else {
      const why = whyInvalid(lineText(lines, at), validation);
      droppedBelow = why !== undefined;
      if (why !== undefined) drop(at, 'invalid', undefined, why);
    }
  }
  return droppedBelow;
}

const normaliseAddresses = byBlock((lines, first, last) => {
  const { start, end } = lines;
  for (let at = first; at < last; at++) {
    const { bytes } = lines.text;
    const mark = bytes[start[at]!];
    if (lines.clear[at] === 1 || start[at] === end[at] || mark === BANG || mark === HASH) continue;
    if (isClearlyValid(bytes, start[at]!, end[at]!)) continue;
    const normalised = normaliseAddress(lineText(lines, at).trim());
    if (normalised !== undefined) replaceLine(lines, at, normalised);
  }
});

function normaliseAddress(rule: string): string | undefined {
  const { allow, pattern, modifiers } = splitAdblockRule(rule);
  const address = normaliseIpPattern(pattern);
  if (address === undefined || address === pattern) return undefined;
  // The rule is written anew as the original does: empty modifiers go, and a value ends at its second "=".
  const kept = splitModifiers(modifiers ?? '')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('\\,', ',').split('=').slice(0, 2).join('='));
  return `${allow ? '@@' : ''}${address}${kept.length > 0 ? `$${kept.join(',')}` : ''}`;
}

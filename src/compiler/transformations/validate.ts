import { splitAdblockRule, splitModifiers } from '../../rules/adblock-rule.ts';
import { normaliseIpPattern } from '../../rules/ip-pattern.ts';
import { type Validation, whyInvalid } from '../../rules/validate-rule.ts';
import { pick } from '../lines/blocks.ts';
import { isAnnotation, isBlank, isComment } from '../lines/line-kind.ts';
import { type Lines, lineText, replaceLine } from '../lines/lines.ts';
import { enterSuffixes } from '../lines/workspace.ts';
import type { Drop, Transformation } from './transformation.ts';

const BANG = 0x21;
const HASH = 0x23;

/** Drops rules that a DNS filter cannot use, with the comments above them. */
export const validate =
  (validation: Validation): Transformation =>
  (lines, drop) => {
    enterSuffixes(lines.text);
    if (validation.allowIp) normaliseAddresses(lines);
    dropInvalid(lines, drop, validation);
  };

/** Iterates backwards, because comments are dropped with the rule below them. */
function dropInvalid(lines: Lines, drop: Drop, validation: Validation): void {
  const { start, end } = lines;
  const { bytes } = lines.text;
  const unnormalized = pick(lines, 'pickUnnormalized');
  let droppedBelow = false;
  for (let item = unnormalized.length - 1; item >= 0; item--) {
    const at = unnormalized[item]!;
    const from = start[at]!;
    const to = end[at]!;
    // The line below was not picked and is not dropped.
    if (unnormalized[item + 1] !== at + 1) droppedBelow = false;
    if (isComment(bytes, from, to) || isBlank(bytes, from, to)) {
      // A line of spaces, unlike an empty line, separates a rule from the comments above it.
      if (droppedBelow && isAnnotation(bytes, from, to)) drop(at, 'belongs to a dropped rule');
      else droppedBelow = false;
    } else {
      const why = whyInvalid(lineText(lines, at), validation);
      droppedBelow = why !== undefined;
      if (why !== undefined) drop(at, 'invalid', undefined, why);
    }
  }
}

function normaliseAddresses(lines: Lines): void {
  const { start, end } = lines;
  for (const at of pick(lines, 'pickUnnormalized')) {
    const { bytes } = lines.text;
    const mark = bytes[start[at]!];
    if (start[at] === end[at] || mark === BANG || mark === HASH) continue;
    const normalised = normaliseAddress(lineText(lines, at).trim());
    if (normalised !== undefined) replaceLine(lines, at, normalised);
  }
}

function normaliseAddress(rule: string): string | undefined {
  const { allow, pattern, modifiers } = splitAdblockRule(rule);
  const address = normaliseIpPattern(pattern);
  if (address === undefined || address === pattern) return undefined;
  // Rewrites the rule like the original: drops empty modifiers and empty values, and cuts values at their second "=".
  const normalised = splitModifiers(modifiers ?? '')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', value = ''] = part.replaceAll('\\,', ',').split('=');
      return value === '' ? name : `${name}=${value}`;
    });
  return `${allow ? '@@' : ''}${address}${normalised.length > 0 ? `$${normalised.join(',')}` : ''}`;
}

import { isCosmetic, modifierName, splitAdblockRule, splitModifiers } from '../../rules/adblock-rule.ts';
import { isHostsLine } from '../../rules/hosts-line.ts';
import { pick } from '../lines/blocks.ts';
import { isComment, skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import { lineText, replaceLine } from '../lines/lines.ts';
import type { Transformation } from './transformation.ts';

// Modifiers that select requests of a page. DNS has only names, so the rule applies to all requests.
const removable = new Set(['third-party', '3p', 'all', 'document', 'doc', 'popup', 'network']);

const DOLLAR = 0x24;

/** Trims every line and removes modifiers that have no meaning in DNS but would make the rule invalid. */
export const removeModifiers: Transformation = (lines) => {
  const { start, end } = lines;
  for (const at of pick(lines, 'pickEdgedOrModified')) {
    const { bytes } = lines.text;
    const from = skipBlanks(bytes, start[at]!, end[at]!);
    const to = skipBlanksBack(bytes, from, end[at]!);
    start[at] = from;
    end[at] = to;
    if (!hasByte(bytes, from, to, DOLLAR) || isComment(bytes, from, to)) continue;
    const rule = lineText(lines, at);
    const stripped = withoutRemovable(rule);
    if (stripped !== rule) replaceLine(lines, at, stripped);
  }
};

function withoutRemovable(rule: string): string {
  const { allow, pattern, modifiers } = splitAdblockRule(rule);
  if (modifiers === undefined || isCosmetic(rule) || isInHostsComment(rule, pattern)) return rule;
  const parts = splitModifiers(modifiers);
  const remaining = parts.filter((part) => !removable.has(modifierName(part)));
  if (remaining.length === parts.length) return rule;
  const rest = remaining.some((part) => part !== '') ? `$${remaining.join(',')}` : '';
  return `${allow ? '@@' : ''}${pattern}${rest}`;
}

/** Whether the `$` belongs to the comment of a hosts line. */
const isInHostsComment = (rule: string, pattern: string): boolean => pattern.includes('#') && isHostsLine(rule);

function hasByte(bytes: Uint8Array, start: number, end: number, byte: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === byte) return true;
  return false;
}

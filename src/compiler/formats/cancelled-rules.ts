import { parseRule } from '../../rules/parse-rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import { type Lines, lineText } from '../lines/lines.ts';
import { mentions } from './mentions.ts';

const MODIFIER = 'badfilter';

/** Whether a line has no effect because it is a `$badfilter` rule or is disabled by one. */
export function findCancelled(lines: Lines): (line: number) => boolean {
  const keys = new Set<string>();
  if (!mentions(lines, MODIFIER)) return () => false;
  for (let at = 0; at < lines.count; at++) {
    const found = badfilterOf(lineText(lines, at));
    if (found !== undefined) keys.add(found);
  }
  if (keys.size === 0) return () => false;
  return (line) => {
    const parsed = parseRule(lineText(lines, line).trim());
    return parsed.kind === 'rule' && (parsed.rule.badfilter || keys.has(ruleKey(parsed.rule)));
  };
}

function badfilterOf(text: string): string | undefined {
  if (!text.includes(MODIFIER)) return undefined;
  const parsed = parseRule(text.trim());
  return parsed.kind === 'rule' && parsed.rule.badfilter ? ruleKey(parsed.rule) : undefined;
}

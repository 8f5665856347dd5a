import { isAnnotation, skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import type { Lines } from '../lines/lines.ts';
import { findCancelled } from './cancelled-rules.ts';
import type { Format } from './format.ts';
import { readRule } from './read-rule.ts';
import { addRewrite, findRewrites } from './rewrites.ts';
import { createRuleEffects, type RuleEffects, type Span } from './rule-effects.ts';

type Heard = {
  readonly effects: RuleEffects;
  /** Why a format without patterns cannot express the line. */
  readonly whyNot: ReadonlyMap<number, string>;
};

export function readList(lines: Lines, whyNoRewrite: Format['whyNoRewrite']): Heard {
  const effects = createRuleEffects(lines.count);
  const whyNot = new Map<number, string>();
  const isCancelled = findCancelled(lines);
  const rewrites = findRewrites(lines, isCancelled, whyNoRewrite);
  const read = (at: number): string | undefined => {
    const rewrite = rewrites.get(at);
    return rewrite ? addRewrite(effects, at, rewrite) : readLine(lines, at, effects);
  };
  for (let at = 0; at < lines.count; at++) {
    const why = isCancelled(at) ? undefined : read(at);
    if (why !== undefined) whyNot.set(at, why);
  }
  return { effects, whyNot };
}

function readLine(lines: Lines, at: number, effects: RuleEffects): string | undefined {
  const span = trimmed(lines, at);
  return isAnnotation(span.bytes, span.start, span.end) ? undefined : readRule(effects, at, span);
}

/** Trims spaces around a rule. */
export function trimmed({ text: { bytes }, start, end }: Lines, at: number): Span {
  const from = skipBlanks(bytes, start[at]!, end[at]!);
  return { bytes, start: from, end: skipBlanksBack(bytes, from, end[at]!) };
}

// The one place where the interface has code of the service: what a rule is, and which modifiers there are. It is the same parser that
// reads the rules afterwards, so that marks are right, at once, also while the service cannot be reached.
import { knownModifiers } from '../../../../src/rules/modifiers.ts';
import { type ParsedLine, parseRule } from '../../../../src/rules/parse-rule.ts';

export type LineFault = {
  readonly reason: string;
  readonly start: number;
  readonly end: number;
  /** `ignored`: a rule for other programs, which does nothing here. */
  readonly kind: 'invalid' | 'ignored';
};

const MAX_LENGTH = 1024;
const MAX_KEPT = 100_000;
const known = new Map<string, ParsedLine>();

function parsed(line: string): ParsedLine {
  const before = known.get(line);
  if (before) return before;
  const now = parseRule(line);
  if (known.size > MAX_KEPT) known.clear();
  known.set(line, now);
  return now;
}

/** What is wrong with a line of user rules, and where. */
export function faultOf(line: string): LineFault | undefined {
  if (line.length > MAX_LENGTH)
    return {
      reason: `a rule has no more than ${MAX_LENGTH} characters`,
      start: MAX_LENGTH,
      end: line.length,
      kind: 'invalid',
    };
  const { kind, ...rest } = parsed(line);
  return 'fault' in rest ? { ...rest.fault, kind: kind === 'ignored' ? 'ignored' : 'invalid' } : undefined;
}

export type LineKind = 'blank' | 'comment' | 'on' | 'off';

const OFF = '! ';
// Words of a comment can be read as rules too; a rule that was switched off has something that words have not.
const looksLikeRule = /^(?:\S*[.|^/*$:]\S*|[\d.:a-f]+\s+\S+.*)$/i;

/** What a line is to whoever switches rules on and off. */
export function kindOf(line: string): LineKind {
  const text = line.trim();
  if (text === '') return 'blank';
  if (parsed(text).kind !== 'comment') return 'on';
  const rest = text.startsWith('!') ? text.slice(1).trim() : '';
  return looksLikeRule.test(rest) && ['rule', 'hosts'].includes(parsed(rest).kind) ? 'off' : 'comment';
}

export const switchOff = (line: string): string => OFF + line.trim();
export const switchOn = (line: string): string => line.trim().slice(1).trim();

export const modifiers: readonly { readonly name: string; readonly like: string; readonly takesValue: boolean }[] =
  Array.from(knownModifiers, ([name, { like, value }]) => ({ name, like, takesValue: value !== 'none' }));

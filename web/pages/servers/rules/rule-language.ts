// The only service code that the interface imports: the rule parser and the list of modifiers. Using the same parser keeps the
// editor's errors equal to those of the service, even while the service is unreachable.
import { knownModifiers } from '../../../../src/rules/modifiers.ts';
import { type ParsedLine, parseRule } from '../../../../src/rules/parse-rule.ts';

export type LineError = {
  readonly reason: string;
  readonly start: number;
  readonly end: number;
  /** `ignored`: valid in other programs, but without effect in DNS filtering. */
  readonly kind: 'invalid' | 'ignored';
};

const MAX_LENGTH = 1024;
const MAX_CACHED = 100_000;
const cache = new Map<string, ParsedLine>();

function parsed(line: string): ParsedLine {
  const cached = cache.get(line);
  if (cached) return cached;
  const result = parseRule(line);
  if (cache.size > MAX_CACHED) cache.clear();
  cache.set(line, result);
  return result;
}

/** Error in a line of user rules. */
export function lineError(line: string): LineError | undefined {
  if (line.length > MAX_LENGTH)
    return {
      reason: `a rule can have at most ${MAX_LENGTH} characters`,
      start: MAX_LENGTH,
      end: line.length,
      kind: 'invalid',
    };
  const { kind, ...rest } = parsed(line);
  return 'fault' in rest ? { ...rest.fault, kind: kind === 'ignored' ? 'ignored' : 'invalid' } : undefined;
}

export type LineKind = 'blank' | 'comment' | 'on' | 'off';

const OFF = '! ';
// Comments can look like rules; a disabled rule contains at least one character that is typical of rules.
const looksLikeRule = /^(?:\S*[.|^/*$:]\S*|[\d.:a-f]+\s+\S+.*)$/i;

/** Kind of a line in the list of switches. */
export function kindOf(line: string): LineKind {
  const text = line.trim();
  if (text === '') return 'blank';
  if (parsed(text).kind !== 'comment') return 'on';
  const rest = text.startsWith('!') ? text.slice(1).trim() : '';
  return looksLikeRule.test(rest) && ['rule', 'hosts'].includes(parsed(rest).kind) ? 'off' : 'comment';
}

export type RuleCounts = {
  /** Rules that have an effect. */
  readonly on: number;
  readonly off: number;
  readonly invalid: number;
};

export function countRules(lines: readonly string[]): RuleCounts {
  const kinds = lines.map(kindOf);
  const invalid = lines.filter((line) => lineError(line) !== undefined).length;
  return {
    on: kinds.filter((kind) => kind === 'on').length - invalid,
    off: kinds.filter((kind) => kind === 'off').length,
    invalid,
  };
}

export const switchOff = (line: string): string => OFF + line.trim();
export const switchOn = (line: string): string => line.trim().slice(1).trim();

export const modifiers: readonly { readonly name: string; readonly like: string; readonly takesValue: boolean }[] =
  Array.from(knownModifiers, ([name, { like, value }]) => ({ name, like, takesValue: value !== 'none' }));

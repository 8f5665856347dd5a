import { isRegexRule, splitAdblockRule, splitModifiers } from '../rules/adblock-rule.ts';
import { whyUnreadable } from '../rules/regex/is-regex-rule.ts';
import type { RuleError } from '../rules/rule-error.ts';
import { findRuleError, type Validation } from '../rules/validate-rule.ts';
import { isBlank, isComment } from './lines/line-kind.ts';
import { addString, createLines, type Lines, lineText } from './lines/lines.ts';
import { createWorkspace } from './lines/workspace.ts';
import { runTransformation, type TransformationName } from './pipeline.ts';

export type ValidatorName = Extract<TransformationName, `Validate${string}`>;

export type RuleVerdict = {
  /** One-based line number. */
  readonly line: number;
  readonly rule: string;
  readonly kind: 'valid' | 'invalid' | 'comment' | 'empty';
  /** Why the rule is invalid. */
  readonly reason?: string;
  /**
   * The invalid part of a rule: zero-based columns in UTF-16 units, end exclusive. Empty where something is missing.
   */
  readonly position?: { readonly start: number; readonly end: number };
  /** Warning for a rule that is kept but will not work. */
  readonly warning?: string;
};

const validations: Readonly<Record<ValidatorName, Validation>> = {
  Validate: { allowIp: false, allowPublicSuffix: false },
  ValidateAllowIp: { allowIp: true, allowPublicSuffix: false },
  ValidateAllowPublicSuffix: { allowIp: false, allowPublicSuffix: true },
  ValidateAllowIpAndPublicSuffix: { allowIp: true, allowPublicSuffix: true },
};

/** Runs the Validate transformation and reports its result for each line. */
export function validateRules(text: string | readonly string[], mode: ValidatorName): readonly RuleVerdict[] {
  const rules = typeof text === 'string' ? toLines(text) : text;
  const lines = createLines(createWorkspace(), Math.max(rules.length, 16));
  for (const rule of rules) addString(lines, rule);
  const endOfGiven = lines.text.length;

  const faults = new Map<number, RuleError>();
  runTransformation(mode, lines, (at, reason) => {
    if (reason !== 'invalid') return;
    const original = rules[at]!;
    const wasWrittenAnew = lines.start[at]! >= endOfGiven;
    // A lone surrogate becomes U+FFFD in UTF-8, and the reason may quote it.
    const judged = wasWrittenAnew ? lineText(lines, at) : original.toWellFormed();
    const fault = findRuleError(judged, validations[mode]);
    if (!fault) throw new Error(`${mode} drops "${original}" and nothing is wrong with it`);
    faults.set(at, wasWrittenAnew ? asGiven(fault, original, judged) : fault);
  });
  return rules.map((rule, at) => judge(lines, at, rule, faults.get(at)));
}

// The byte order mark is not part of the first rule.
const toLines = (text: string): readonly string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);

function judge(lines: Lines, at: number, rule: string, fault: RuleError | undefined): RuleVerdict {
  const line = at + 1;
  if (fault) {
    return { line, rule, kind: 'invalid', reason: fault.reason, position: { start: fault.start, end: fault.end } };
  }
  const { bytes } = lines.text;
  const start = lines.start[at]!;
  const end = lines.end[at]!;
  if (isBlank(bytes, start, end)) return { line, rule, kind: 'empty' };
  if (isComment(bytes, start, end)) return { line, rule, kind: 'comment' };
  const warning = rule.includes('/') ? whyUseless(rule) : undefined;
  return warning === undefined ? { line, rule, kind: 'valid' } : { line, rule, kind: 'valid', warning };
}

function whyUseless(rule: string): string | undefined {
  const { pattern } = splitAdblockRule(rule.trim());
  return isRegexRule(pattern) ? whyUnreadable(pattern) : undefined;
}

/** Maps an error in a rewritten address rule, which can only be in its modifiers, to its position in the given rule. */
function asGiven(fault: RuleError, original: string, written: string): RuleError {
  const columns = columnsOfModifiers(original.trimEnd());
  const first = written.length - columns.length;
  return { ...fault, start: columns[fault.start - first]!, end: columns[fault.end - 1 - first]! + 1 };
}

/**
 * Position in the rule of each character that the rewritten address rule keeps. Not kept: the backslash before a comma,
 * empty modifiers, and a value from its second "=" on.
 */
function columnsOfModifiers(rule: string): readonly number[] {
  const { modifiers = '' } = splitAdblockRule(rule);
  const columns: number[] = [];
  let start = rule.length - modifiers.length;
  for (const part of splitModifiers(modifiers)) {
    if (part !== '' && columns.length > 0) columns.push(start - 1);
    let equalSigns = 0;
    for (let at = 0; at < part.length; at++) {
      if (part[at] === '=' && ++equalSigns === 2) break;
      if (part[at] !== '\\' || part[at + 1] !== ',') columns.push(start + at);
    }
    start += part.length + 1;
  }
  return columns;
}

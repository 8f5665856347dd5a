import type { Letters } from '../../rules/ascii-bytes.ts';
import { matchWildcard } from '../../rules/matches-pattern.ts';
import { parseTrustedRule } from '../../rules/parse-rule.ts';
import { expressionMatcher } from '../../rules/regex/regex-matcher.ts';
import type { ExpressionRunner, TestLetters } from '../../rules/regex/regex-runner.ts';
import type { Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import type { ListTable } from '../list-table.ts';
import { strengthOf } from '../match/precedence.ts';
import { RECORD } from '../table-layout.ts';
import { hostsLineRule } from './hosts-line-rule.ts';

// Few rules of a list are more than a name. Their texts stand in the table; a thread reads one when it first meets it.

export type FurtherRule = {
  readonly text: string;
  readonly rule: Rule;
  readonly strength: number;
  /** The rule is a line of a hosts file whose address is the answer. */
  readonly answers: boolean;
  readonly isExpression: boolean;
  /** Whether a wildcard or regular expression matches; charges the steps to the budget. See `ExpressionRunner`. */
  readonly matches: TestLetters;
  /** What `$badfilter` knows the rule by. */
  readonly key: () => string;
};

export function furtherRule(table: ListTable, number: number): FurtherRule {
  const known = table.parsed[number];
  if (known) return known;
  const read = readFurtherRule(table, number);
  table.parsed[number] = read;
  return read;
}

/** The first of the further rules at a slot; those of one slot stand side by side, in the order of their lines. */
export function firstFurther({ records, named }: ListTable, slot: number): number {
  let from = 0;
  let to = named;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (records[middle * RECORD]! < slot) from = middle + 1;
    else to = middle;
  }
  return from;
}

export const isFurtherOf = (table: ListTable, number: number, slot: number): boolean =>
  number < table.named && table.records[number * RECORD] === slot;

const decoder = new TextDecoder();

function furtherText({ records, texts }: ListTable, number: number): string {
  const start = number === 0 ? 0 : records[(number - 1) * RECORD + 1]!;
  return decoder.decode(texts.slice(start, records[number * RECORD + 1]!));
}

/** The code of an expression; empty for every other rule. */
function codeOf({ codeEnds, code, named }: ListTable, number: number): Uint16Array {
  const nth = number - named;
  const end = codeEnds[nth] ?? 0;
  return code.subarray(nth > 0 ? Math.min(codeEnds[nth - 1]!, end) : 0, end);
}

/** Only texts that could be read were put into the table; one that a later version cannot read says nothing. */
function readFurtherRule(table: ListTable, number: number): FurtherRule {
  const text = furtherText(table, number);
  const line = parseTrustedRule(text);
  if (line.kind === 'rule') return furtherRuleOf(text, line.rule, false, matcherOf(line.rule, table, number));
  if (line.kind === 'hosts') {
    const rule = hostsLineRule(line.address, line.names[0]!, table.answering);
    return furtherRuleOf(text, rule, rule.rewrite !== undefined, never);
  }
  return furtherRuleOf(text, silentRule, false, never);
}

const silentRule: Rule = {
  allow: false,
  pattern: { kind: 'wildcard', start: 'anywhere', pieces: [], end: 'anywhere' },
  important: false,
  badfilter: false,
  types: { negated: false, types: new Set() },
};

const never: TestLetters = () => false;

function matcherOf({ pattern }: Rule, table: ListTable, number: number): TestLetters {
  if (pattern.kind === 'wildcard') return countedWildcard(matchWildcard(pattern), pattern.pieces.length);
  if (pattern.kind !== 'expression') return never;
  const code = codeOf(table, number);
  return code.length === 0 ? never : expressionMatcher(code, table.automata);
}

/** One piece is looked for in eight letters in the time that an expression takes for a step. */
const countedWildcard =
  (matches: (name: Letters) => boolean, pieces: number): TestLetters =>
  (name: Letters, runner: ExpressionRunner) => {
    runner.stepsLeft -= 1 + pieces * (name.length >> 3);
    return runner.stepsLeft >= 0 && matches(name);
  };

function furtherRuleOf(text: string, rule: Rule, answers: boolean, matches: TestLetters): FurtherRule {
  let key: string | undefined;
  return {
    text,
    rule,
    strength: strengthOf(rule),
    answers,
    isExpression: rule.pattern.kind === 'expression',
    matches,
    key: () => {
      key ??= ruleKey(rule);
      return key;
    },
  };
}

import type { AsciiBytes } from '../../rules/ascii-bytes.ts';
import { matchWildcard } from '../../rules/matches-pattern.ts';
import { parseTrustedRule } from '../../rules/parse-rule.ts';
import { regexMatcher } from '../../rules/regex/regex-matcher.ts';
import type { RegexRunner, TestBytes } from '../../rules/regex/regex-runner.ts';
import type { Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import type { ListTable } from '../list-table.ts';
import { priorityOf } from '../match/precedence.ts';
import { RECORD } from '../table-layout.ts';
import { hostsLineRule } from './hosts-line-rule.ts';

// Few rules of a list are more than a name. Their texts stand in the table; a thread reads one when it first meets it.

export type ComplexRule = {
  readonly text: string;
  readonly rule: Rule;
  readonly priority: number;
  /** The rule is a line of a hosts file whose address is the answer. */
  readonly answers: boolean;
  readonly isExpression: boolean;
  /** Whether a wildcard or regular expression matches; charges the steps to the budget. See `RegexRunner`. */
  readonly matches: TestBytes;
  /** What `$badfilter` knows the rule by. */
  readonly key: () => string;
};

export function complexRule(table: ListTable, number: number): ComplexRule {
  const known = table.parsed[number];
  if (known) return known;
  const read = readComplexRule(table, number);
  table.parsed[number] = read;
  return read;
}

/** The first of the further rules at a slot; those of one slot stand side by side, in the order of their lines. */
export function firstComplex({ records, named }: ListTable, slot: number): number {
  let from = 0;
  let to = named;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (records[middle * RECORD]! < slot) from = middle + 1;
    else to = middle;
  }
  return from;
}

export const isComplexOf = (table: ListTable, number: number, slot: number): boolean =>
  number < table.named && table.records[number * RECORD] === slot;

const decoder = new TextDecoder();

function complexRuleText({ records, texts }: ListTable, number: number): string {
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
function readComplexRule(table: ListTable, number: number): ComplexRule {
  const text = complexRuleText(table, number);
  const line = parseTrustedRule(text);
  if (line.kind === 'rule') return complexRuleOf(text, line.rule, false, matcherOf(line.rule, table, number));
  if (line.kind === 'hosts') {
    const rule = hostsLineRule(line.address, line.names[0]!, table.answering);
    return complexRuleOf(text, rule, rule.rewrite !== undefined, never);
  }
  return complexRuleOf(text, silentRule, false, never);
}

const silentRule: Rule = {
  allow: false,
  pattern: { kind: 'wildcard', start: 'anywhere', pieces: [], end: 'anywhere' },
  important: false,
  badfilter: false,
  types: { negated: false, types: new Set() },
};

const never: TestBytes = () => false;

function matcherOf({ pattern }: Rule, table: ListTable, number: number): TestBytes {
  if (pattern.kind === 'wildcard') return countedWildcard(matchWildcard(pattern), pattern.pieces.length);
  if (pattern.kind !== 'expression') return never;
  const code = codeOf(table, number);
  return code.length === 0 ? never : regexMatcher(code, table.automata);
}

/** One piece is looked for in eight letters in the time that an expression takes for a step. */
const countedWildcard =
  (matches: (name: AsciiBytes) => boolean, pieces: number): TestBytes =>
  (name: AsciiBytes, runner: RegexRunner) => {
    runner.stepsLeft -= 1 + pieces * (name.length >> 3);
    return runner.stepsLeft >= 0 && matches(name);
  };

function complexRuleOf(text: string, rule: Rule, answers: boolean, matches: TestBytes): ComplexRule {
  let key: string | undefined;
  return {
    text,
    rule,
    priority: priorityOf(rule),
    answers,
    isExpression: rule.pattern.kind === 'expression',
    matches,
    key: () => {
      key ??= ruleKey(rule);
      return key;
    },
  };
}

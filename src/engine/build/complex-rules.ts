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

// A rule that is more than a domain. Its text is stored in the table; a thread parses it on first use.

export type ComplexRule = {
  readonly text: string;
  readonly rule: Rule;
  readonly priority: number;
  /** A hosts line whose address is the answer. */
  readonly answers: boolean;
  readonly isExpression: boolean;
  /** Whether a wildcard or regular expression matches; charges the steps to the budget. See `RegexRunner`. */
  readonly matches: TestBytes;
  /** The key that `$badfilter` refers to. */
  readonly key: () => string;
};

export function complexRule(table: ListTable, number: number): ComplexRule {
  const cached = table.parsed[number];
  if (cached) return cached;
  const read = readComplexRule(table, number);
  table.parsed[number] = read;
  return read;
}

/** The first complex rule of a slot; those of one slot are adjacent, in line order. */
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

/** Program of a regular expression; empty for every other rule. */
function codeOf({ codeEnds, code, named }: ListTable, number: number): Uint16Array {
  const nth = number - named;
  const end = codeEnds[nth] ?? 0;
  return code.subarray(nth > 0 ? Math.min(codeEnds[nth - 1]!, end) : 0, end);
}

/** The table contains only texts that could be parsed; a text that this version cannot parse never matches. */
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

/** Charges eight bytes of a wildcard's literal search like one step of a regular expression. */
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

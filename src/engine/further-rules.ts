import type { Letters } from '../rules/letters.ts';
import { matchGeneric } from '../rules/matches-pattern.ts';
import { parseRule } from '../rules/parse-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { ruleKey } from '../rules/rule-key.ts';
import { hostsLineRule } from './hosts-line-rule.ts';
import type { ListTable } from './list-table.ts';
import { strengthOf } from './precedence.ts';
import { RECORD } from './table-layout.ts';

// Few rules of a list are more than a name. Their texts stand in the table; a thread reads one when it first meets it.

export type FurtherRule = {
  readonly text: string;
  readonly rule: Rule;
  readonly strength: number;
  /** The rule is a line of a hosts file whose address is the answer. */
  readonly answers: boolean;
  /** Whether a pattern that is no name matches. Made ready when first needed: an expression costs some work. */
  readonly matches: (name: Letters) => boolean;
  /** What `$badfilter` knows the rule by. */
  readonly key: () => string;
};

export function furtherRule(table: ListTable, number: number): FurtherRule {
  const known = table.parsed[number];
  if (known) return known;
  const read = readFurtherRule(furtherText(table, number), table.answering);
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

/** Only texts that could be read were put into the table; one that a later version cannot read says nothing. */
function readFurtherRule(text: string, answering: boolean): FurtherRule {
  const line = parseRule(text);
  if (line.kind === 'rule') return furtherRuleOf(text, line.rule, false);
  if (line.kind === 'hosts') {
    const rule = hostsLineRule(line.address, line.names[0]!, answering);
    return furtherRuleOf(text, rule, rule.rewrite !== undefined);
  }
  return furtherRuleOf(text, silentRule, false);
}

const silentRule: Rule = {
  allow: false,
  pattern: { kind: 'wildcard', start: 'anywhere', pieces: [], end: 'anywhere' },
  important: false,
  badfilter: false,
  types: { negated: false, types: new Set() },
};

function furtherRuleOf(text: string, rule: Rule, answers: boolean): FurtherRule {
  let match: ((name: Letters) => boolean) | undefined;
  let key: string | undefined;
  return {
    text,
    rule,
    strength: strengthOf(rule),
    answers,
    matches: (name) => {
      match ??= 'name' in rule.pattern ? () => false : matchGeneric(rule.pattern);
      return match(name);
    },
    key: () => {
      key ??= ruleKey(rule);
      return key;
    },
  };
}

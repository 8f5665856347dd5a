import { nameText } from '../../kit/wire-name.ts';
import type { Rule } from '../../rules/rule.ts';
import { complexRule, firstComplex, isComplexOf } from '../build/complex-rules.ts';
import { domainRuleKinds, standsFor } from '../build/domain-rules.ts';
import { findSlot, type ReadLine, tagAt } from '../list-table.ts';
import { hashKey, type NameKeys, readNameKeys, startOf } from '../name-keys.ts';
import { slotText } from '../rule-text.ts';
import { KIND } from '../table-layout.ts';
import type { Query } from './decide.ts';
import {
  allowSteps,
  createGenericMatches,
  findGeneric,
  type GenericMatches,
  matchNumber,
  matchTable,
  mayMatchGeneric,
} from './find-generic.ts';
import { createMatchContext } from './match-context.ts';
import { priorityOf } from './precedence.ts';
import type { EngineProfile, Extent, ProfileTable } from './profile.ts';

/** A rule whose pattern matches a name. */
export type MatchingRule = {
  readonly by: ProfileTable;
  readonly text: string;
  readonly rule: Rule;
  readonly priority: number;
  /** A hosts line whose address is the answer. */
  readonly answers: boolean;
};

export type MatchingRules = {
  readonly rules: readonly MatchingRule[];
  /** Wildcards and regular expressions that a decision skips because its budget is used up. */
  readonly skipped: number;
};

/**
 * All matching rules in table order, the strongest patterns of a table first. Skips the rules that a decision skips.
 */
export function matchingRules(
  { name, at }: Pick<Query, 'name' | 'at'>,
  profile: EngineProfile,
  { tables: tableCount, wholeNames }: Extent,
  { secret, readLine }: { readonly secret: Uint8Array; readonly readLine: ReadLine },
): MatchingRules {
  const context = createMatchContext(0);
  const { keys } = context;
  context.name = name;
  context.at = at;
  readNameKeys(hashKey(secret), name, at, keys, { shortcuts: profile.shortcuts, number: 0 });
  const generic = createGenericMatches();
  allowSteps(generic);
  // The cached automata belong to the answering thread.
  generic.runner.statesLeft = 0;
  if (mayMatchGeneric(profile, context)) findGeneric(profile, tableCount, context, generic);
  const suffix = (labels: number): string => nameText(name, at + startOf(keys, labels)).toLowerCase();
  const counts = wholeNames ? [keys.count] : labelCounts(keys);
  const rules = profile.tables
    .slice(0, tableCount)
    .flatMap((by, index) => [
      ...counts.flatMap((labels) => rulesAtName(by, keys, labels, () => suffix(labels), readLine)),
      ...genericRules(by, index, generic),
    ]);
  return { rules, skipped: generic.skipped };
}

const labelCounts = ({ count }: NameKeys): readonly number[] => Array.from({ length: count }, (_, nth) => count - nth);

function rulesAtName(
  by: ProfileTable,
  { high, low, count }: NameKeys,
  labels: number,
  name: () => string,
  readLine: ReadLine,
): readonly MatchingRule[] {
  const { table } = by;
  const slot = findSlot(table, high[labels]!, low[labels]!);
  if (slot === -1) return [];
  const rules: MatchingRule[] = [];
  const bare = domainRuleKinds[tagAt(table, slot) & KIND];
  if (bare) {
    const pattern = { kind: bare.pattern, name: name() };
    const rule = { allow: bare.allow, pattern, important: false, badfilter: false };
    const text = slotText(table, slot, pattern.name, readLine);
    rules.push({ by, text, rule, priority: priorityOf(rule), answers: false });
  }
  for (let number = firstComplex(table, slot); isComplexOf(table, number, slot); number++)
    rules.push({ by, ...complexRule(table, number) });
  return rules.filter(({ rule }) => standsFor(rule.pattern.kind, labels === count));
}

const genericRules = (by: ProfileTable, index: number, generic: GenericMatches): readonly MatchingRule[] =>
  Array.from({ length: generic.count }, (_, nth) => nth)
    .filter((nth) => matchTable(generic, nth) === index)
    .map((nth) => ({ by, ...complexRule(by.table, matchNumber(generic, nth)) }));

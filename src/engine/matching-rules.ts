import { nameText } from '../kit/wire-name.ts';
import { type Letters, lettersOf } from '../rules/letters.ts';
import type { Rule } from '../rules/rule.ts';
import { bareKinds, standsFor } from './bare-kinds.ts';
import type { Query } from './decide.ts';
import { firstFurther, furtherRule, isFurtherOf } from './further-rules.ts';
import { findSlot, type ReadLine, tagAt } from './list-table.ts';
import { createNameKeys, hashKey, type NameKeys, readNameKeys, startOf } from './name-keys.ts';
import { strengthOf } from './precedence.ts';
import type { EngineProfile, ProfileTable } from './profile.ts';
import { slotText } from './rule-text.ts';
import { KIND } from './table-layout.ts';

/** A rule whose pattern matches a name. */
export type MatchingRule = {
  readonly by: ProfileTable;
  readonly text: string;
  readonly rule: Rule;
  readonly strength: number;
  /** A line of a hosts file whose address is the answer. */
  readonly answers: boolean;
};

/** For people, who have time: all of them, in the order of tables, and in each the strongest patterns first. */
export function matchingRules(
  { name, at }: Query,
  { tables }: EngineProfile,
  { secret, readLine }: { readonly secret: Uint8Array; readonly readLine: ReadLine },
): readonly MatchingRule[] {
  const keys = createNameKeys();
  readNameKeys(hashKey(secret), name, at, keys);
  const letters = lettersOf(nameText(name, at).toLowerCase());
  const suffix = (labels: number): string => nameText(name, at + startOf(keys, labels)).toLowerCase();
  return tables.flatMap((by) => [
    ...labelCounts(keys).flatMap((labels) => rulesAtName(by, keys, labels, () => suffix(labels), readLine)),
    ...genericRules(by, letters),
  ]);
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
  const bare = bareKinds[tagAt(table, slot) & KIND];
  if (bare) {
    const pattern = { kind: bare.pattern, name: name() };
    const rule = { allow: bare.allow, pattern, important: false, badfilter: false };
    const text = slotText(table, slot, pattern.name, readLine);
    rules.push({ by, text, rule, strength: strengthOf(rule), answers: false });
  }
  for (let number = firstFurther(table, slot); isFurtherOf(table, number, slot); number++)
    rules.push({ by, ...furtherRule(table, number) });
  return rules.filter(({ rule }) => standsFor(rule.pattern.kind, labels === count));
}

const genericRules = (by: ProfileTable, name: Letters): readonly MatchingRule[] =>
  Array.from({ length: by.table.generic }, (_, nth) => furtherRule(by.table, by.table.named + nth))
    .filter(({ matches }) => matches(name))
    .map((further) => ({ by, ...further }));

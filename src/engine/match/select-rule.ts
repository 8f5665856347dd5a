import { nameText } from '../../kit/wire-name.ts';
import type { Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import { type FurtherRule, firstFurther, furtherRule, isFurtherOf } from '../build/complex-rules.ts';
import { type BareKind, bareKinds, standsFor } from '../build/domain-rules.ts';
import { tagAt } from '../list-table.ts';
import { startOf } from '../name-keys.ts';
import { isHonoured } from '../sources.ts';
import { KIND, MORE } from '../table-layout.ts';
import { whyNotApplied } from './conditions.ts';
import type { Matter } from './match-context.ts';
import { LABELS } from './precedence.ts';
import type { EngineProfile, ProfileTable } from './profile.ts';

/** The rules of one pool against each other. One object serves a thread for all its decisions. */
export type Contest = {
  /** Of the strongest rule so far; negative while there is none. */
  strength: number;
  allow: boolean;
  by: ProfileTable | undefined;
  /** Undefined for a bare rule, which is known by its slot and the number of its labels. */
  further: FurtherRule | undefined;
  slot: number;
  labels: number;
  readonly rewriting: Contender[];
  /** Lines of hosts files that answer. */
  readonly answering: Contender[];
};

export type Contender = { readonly by: ProfileTable; readonly further: FurtherRule; readonly rule: Rule };

export const createContest = (): Contest => ({
  strength: -1,
  allow: false,
  by: undefined,
  further: undefined,
  slot: -1,
  labels: 0,
  rewriting: [],
  answering: [],
});

export function startContest(contest: Contest): void {
  contest.strength = -1;
  // To empty an array that is empty costs more than to look.
  if (contest.rewriting.length > 0) contest.rewriting.length = 0;
  if (contest.answering.length > 0) contest.answering.length = 0;
}

/** All rules that stand at one name in one table. */
export function enterSlot(
  contest: Contest,
  matter: Matter,
  profile: EngineProfile,
  by: ProfileTable,
  labels: number,
  slot: number,
): void {
  const tag = tagAt(by.table, slot);
  const isWhole = labels === matter.keys.count;
  const bare = bareKinds[tag & KIND];
  if (bare && matter.place === undefined && (isWhole ? bare.forItself : bare.forOthers)) {
    const strength = bare.strength + labels * LABELS;
    if (strength > contest.strength && !isBareSwitchedOff(matter, profile, by, bare, labels)) {
      lead(contest, by, strength, bare.allow, undefined);
      contest.slot = slot;
      contest.labels = labels;
    }
  }
  if ((tag & MORE) === 0) return;
  for (let number = firstFurther(by.table, slot); isFurtherOf(by.table, number, slot); number++) {
    const further = furtherRule(by.table, number);
    if (standsFor(further.rule.pattern.kind, isWhole)) enterFurther(contest, matter, profile, by, further);
  }
}

/** A rule whose pattern matches. Of equally strong ones the first that enters stays ahead. */
export function enterFurther(
  contest: Contest,
  matter: Matter,
  profile: EngineProfile,
  by: ProfileTable,
  further: FurtherRule,
): void {
  const { rule } = further;
  if (matter.isAnswer && rule.rewrite) return;
  if (!further.answers && !isHonoured(by.source, rule)) return;
  if (whyNotApplied(rule, matter, matter.text) !== undefined) return;
  if (by.source.obeysUserBadfilter && profile.switchedOff?.has(further.key())) return;
  if (further.answers) contest.answering.push({ by, further, rule });
  else if (rule.rewrite) contest.rewriting.push({ by, further, rule });
  else if (further.strength > contest.strength) lead(contest, by, further.strength, rule.allow, further);
}

function lead(
  contest: Contest,
  by: ProfileTable,
  strength: number,
  allow: boolean,
  further: FurtherRule | undefined,
): void {
  contest.by = by;
  contest.strength = strength;
  contest.allow = allow;
  contest.further = further;
}

function isBareSwitchedOff(
  { keys, name, at }: Matter,
  { switchedOff }: EngineProfile,
  by: ProfileTable,
  { allow, pattern }: BareKind,
  labels: number,
): boolean {
  if (switchedOff === undefined || !by.source.obeysUserBadfilter) return false;
  const suffix = nameText(name, at + startOf(keys, labels)).toLowerCase();
  return switchedOff.has(
    ruleKey({ allow, important: false, badfilter: false, pattern: { kind: pattern, name: suffix } }),
  );
}

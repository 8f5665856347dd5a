import { nameText } from '../../kit/wire-name.ts';
import type { Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import { type ComplexRule, complexRule, firstComplex, isComplexOf } from '../build/complex-rules.ts';
import { type DomainRuleKind, domainRuleKinds, standsFor } from '../build/domain-rules.ts';
import { tagAt } from '../list-table.ts';
import { startOf } from '../name-keys.ts';
import { isHonoured } from '../sources.ts';
import { COMPLEX, KIND } from '../table-layout.ts';
import { whyNotApplied } from './conditions.ts';
import { labelsOf, type Matches, tableOf } from './find-matches.ts';
import type { MatchContext } from './match-context.ts';
import { LABELS } from './precedence.ts';
import type { EngineProfile, ProfileTable } from './profile.ts';

/** Selects the winning rule of one stage. One object per thread. */
export type Selection = {
  /** Priority of the strongest rule so far; negative without one. */
  priority: number;
  allow: boolean;
  by: ProfileTable | undefined;
  /** Undefined for a domain rule, which is identified by its slot and its number of labels. */
  complex: ComplexRule | undefined;
  slot: number;
  labels: number;
  readonly rewriting: Candidate[];
  /** Hosts lines with an answer. */
  readonly answering: Candidate[];
};

export type Candidate = { readonly by: ProfileTable; readonly complex: ComplexRule; readonly rule: Rule };

export const createSelection = (): Selection => ({
  priority: -1,
  allow: false,
  by: undefined,
  complex: undefined,
  slot: -1,
  labels: 0,
  rewriting: [],
  answering: [],
});

export function startSelection(selection: Selection): void {
  selection.priority = -1;
  // The check is cheaper than clearing an empty array.
  if (selection.rewriting.length > 0) selection.rewriting.length = 0;
  if (selection.answering.length > 0) selection.answering.length = 0;
}

/** Adds all rules of one name in one table. */
export function addCandidate(
  selection: Selection,
  context: MatchContext,
  profile: EngineProfile,
  matches: Matches,
  nth: number,
): void {
  const by = profile.tables[tableOf(matches, nth)]!;
  const labels = labelsOf(matches, nth);
  const slot = matches.slots[nth]!;
  const tag = tagAt(by.table, slot);
  const isWhole = labels === context.keys.count;
  const domainRule = domainRuleKinds[tag & KIND];
  if (domainRule && context.location === undefined && (isWhole ? domainRule.forItself : domainRule.forOthers)) {
    const priority = domainRule.priority + labels * LABELS;
    if (priority > selection.priority && !isDomainRuleDisabled(context, profile, by, domainRule, labels)) {
      lead(selection, by, priority, domainRule.allow, undefined);
      selection.slot = slot;
      selection.labels = labels;
    }
  }
  if ((tag & COMPLEX) === 0) return;
  for (let number = firstComplex(by.table, slot); isComplexOf(by.table, number, slot); number++) {
    const complex = complexRule(by.table, number);
    if (standsFor(complex.rule.pattern.kind, isWhole)) addComplex(selection, context, profile, by, complex);
  }
}

/** Adds a rule whose pattern matches. Of equal priorities the first stays. */
export function addComplex(
  selection: Selection,
  context: MatchContext,
  profile: EngineProfile,
  by: ProfileTable,
  complex: ComplexRule,
): void {
  const { rule } = complex;
  if (!complex.answers && !isHonoured(by.source, rule)) return;
  if (whyNotApplied(rule, context, context.text) !== undefined) return;
  if (by.source.obeysUserBadfilter && profile.switchedOff?.has(complex.key())) return;
  if (complex.answers) selection.answering.push({ by, complex, rule });
  else if (rule.rewrite) selection.rewriting.push({ by, complex, rule });
  else if (complex.priority > selection.priority) lead(selection, by, complex.priority, rule.allow, complex);
}

function lead(
  selection: Selection,
  by: ProfileTable,
  priority: number,
  allow: boolean,
  complex: ComplexRule | undefined,
): void {
  selection.by = by;
  selection.priority = priority;
  selection.allow = allow;
  selection.complex = complex;
}

function isDomainRuleDisabled(
  { keys, name, at }: MatchContext,
  { switchedOff }: EngineProfile,
  by: ProfileTable,
  { allow, pattern }: DomainRuleKind,
  labels: number,
): boolean {
  if (switchedOff === undefined || !by.source.obeysUserBadfilter) return false;
  const suffix = nameText(name, at + startOf(keys, labels)).toLowerCase();
  return switchedOff.has(
    ruleKey({ allow, important: false, badfilter: false, pattern: { kind: pattern, name: suffix } }),
  );
}

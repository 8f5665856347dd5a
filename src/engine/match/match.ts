import type { AutomatonMemory } from '../../rules/regex/regex-runner.ts';
import { complexRule } from '../build/complex-rules.ts';
import { domainRulePriorities } from '../build/domain-rules.ts';
import { combineHostsLines } from '../build/hosts-line-rule.ts';
import { startOf } from '../name-keys.ts';
import { COMPLEX, TAG } from '../table-layout.ts';
import { clearVerdict, createVerdict, reportComplex, reportDomainRule, type Verdict } from '../verdict.ts';
import {
  allowSteps,
  createGenericMatches,
  findGeneric,
  matchNumber,
  matchTable,
  mayMatchGeneric,
} from './find-generic.ts';
import { createMatches, findMatches, labelsAt, labelsOf, tableAt, tableOf } from './find-matches.ts';
import type { MatchContext } from './match-context.ts';
import { ALLOWS, LABELS } from './precedence.ts';
import type { EngineProfile, Extent, ProfileTable, Stage } from './profile.ts';
import { type CombinedRewrite, combineRewrites } from './rewrites.ts';
import {
  addCandidate,
  addComplex,
  type Candidate,
  createSelection,
  type Selection,
  startSelection,
} from './select-rule.ts';

// The verdict of domain rules, including "no match", depends on the name only and is cached: the position of the rule as
// in `Matches`, with the lowest bit set if it allows.
const ALLOW = 1;
const PASS = -1;

/** Decides the thread's match context; a verdict is valid until the next one. Allocates nothing for domain rules. */
export function createMatcher(context: MatchContext, automata?: AutomatonMemory) {
  const matches = createMatches();
  const generic = createGenericMatches(automata);
  const selection = createSelection();
  const verdict = createVerdict();

  const selectRule = (profile: EngineProfile, { from, to }: Stage): void => {
    startSelection(selection);
    for (let nth = 0; nth < matches.count; nth++) {
      const index = tableOf(matches, nth);
      if (index < from || index >= to) continue;
      addCandidate(selection, context, profile, matches, nth);
    }
    for (let nth = 0; nth < generic.count; nth++) {
      const index = matchTable(generic, nth);
      if (index < from || index >= to) continue;
      const by = profile.tables[index]!;
      addComplex(selection, context, profile, by, complexRule(by.table, matchNumber(generic, nth)));
    }
  };

  /** Reports the decision of the stage; true if no later stage is needed. */
  const reportStage = (stage: Stage): boolean => {
    const rewrite = selectRewrites(selection, context);
    if (rewrite) {
      reportComplex(verdict, 'rewrite', rewrite.by.by, rewrite.by.complex);
      verdict.rewrite = rewrite.rewrite;
      return true;
    }
    if (selection.priority < 0) return false;
    // The first stage that allows is stored; it applies unless a later one blocks.
    if (selection.allow && verdict.kind === 'allow') return false;
    const kind = selection.allow ? 'allow' : 'block';
    const { complex, by, slot, labels } = selection;
    if (complex) reportComplex(verdict, kind, by!, complex);
    else reportDomain(kind, by!, slot, labels);
    return !selection.allow || stage.allowEnds === 'everything';
  };

  /**
   * Fast path: if all matches are domain rules of one stage, numbers alone determine the strongest. Returns false
   * otherwise.
   */
  const reportStrongestDomainRule = (profile: EngineProfile): boolean => {
    if (profile.switchedOff !== undefined || context.location !== undefined) return false;
    const { stage } = profile.tables[tableOf(matches, 0)]!;
    let strongest = -1;
    let leader = -1;
    for (let nth = 0; nth < matches.count; nth++) {
      const tag = matches.tags[nth]!;
      if ((tag & COMPLEX) !== 0 || profile.tables[tableOf(matches, nth)]!.stage !== stage) return false;
      const labels = labelsOf(matches, nth);
      const priority = domainRulePriorities[labels === context.keys.count ? tag : tag + TAG + 1]! + labels * LABELS;
      if (priority <= strongest) continue;
      strongest = priority;
      leader = nth;
    }
    if (leader === -1) {
      passes();
      return true;
    }
    const position = (matches.positions[leader]! << 1) | (strongest < ALLOWS ? 0 : ALLOW);
    reportMatch(profile, position, matches.slots[leader]!);
    if (generic.skipped === 0) context.keys.putVerdict(position, matches.slots[leader]!);
    return true;
  };

  const passes = (): Verdict => {
    if (generic.skipped === 0) context.keys.putVerdict(PASS, 0);
    return clearVerdict(verdict);
  };

  const reportCached = (profile: EngineProfile): Verdict => {
    const [position, slot] = [context.keys.cachedVerdict[0]!, context.keys.cachedVerdict[1]!];
    if (position === PASS) return clearVerdict(verdict);
    reportMatch(profile, position, slot);
    return verdict;
  };

  const reportDomain = (kind: 'allow' | 'block', by: ProfileTable, slot: number, labels: number): void => {
    reportDomainRule(verdict, kind, by, slot);
    const rule = verdict.by;
    if (rule.name !== context.name) rule.name = context.name;
    rule.nameAt = context.at + startOf(context.keys, labels);
  };

  const reportMatch = ({ tables }: EngineProfile, position: number, slot: number): void => {
    const kind = (position & ALLOW) === 0 ? 'block' : 'allow';
    reportDomain(kind, tables[tableAt(position >> 1)]!, slot, labelsAt(position >> 1));
  };

  const match = (profile: EngineProfile, extent: Extent): Verdict => {
    if (context.keys.isCached) {
      generic.skipped = 0;
      return reportCached(profile);
    }
    findMatches(profile, extent, context.keys, matches);
    if (mayMatchGeneric(profile, context)) findGeneric(profile, extent.tables, context, generic);
    else {
      generic.count = 0;
      generic.skipped = 0;
    }
    if (generic.count === 0) {
      if (matches.count === 0) return passes();
      if (reportStrongestDomainRule(profile)) return verdict;
    }
    clearVerdict(verdict);
    for (let nth = 0; nth < extent.stages; nth++) {
      const stage = profile.stages[nth]!;
      selectRule(profile, stage);
      if (reportStage(stage)) break;
    }
    return verdict;
  };

  return {
    match,
    pass: () => clearVerdict(verdict),
    /** Resets the budget. */
    allowSteps: () => allowSteps(generic),
    /** Rules skipped by the last decision. */
    skipped: () => generic.skipped,
    automata: generic.runner.automata,
  };
}

/** Answers of hosts lines rank below all rules: they apply only if no rule blocks or allows. */
function selectRewrites(
  { rewriting, answering, priority }: Selection,
  context: MatchContext,
): CombinedRewrite<Candidate> | undefined {
  if (rewriting.length > 0) {
    const combined = combineRewrites(rewriting.sort(byPriority), context.text(), context.type);
    if (combined) return combined;
  }
  return priority < 0 && answering.length > 0 ? combineHostsLines(answering, context.type) : undefined;
}

const byPriority = (one: Candidate, other: Candidate): number => other.complex.priority - one.complex.priority;

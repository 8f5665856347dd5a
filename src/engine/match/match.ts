import { complexRule } from '../build/complex-rules.ts';
import { domainRulePriorities } from '../build/domain-rules.ts';
import { settleHostsLines } from '../build/hosts-line-rule.ts';
import { startOf } from '../name-keys.ts';
import { MORE, TAG } from '../table-layout.ts';
import { clearVerdict, createVerdict, reportComplex, reportDomainRule, type Verdict } from '../verdict.ts';
import {
  allowSteps,
  createGenericMatches,
  findGeneric,
  matchNumber,
  matchTable,
  mayMatchGeneric,
} from './find-generic.ts';
import { createHits, findHits, labelsAt, labelsOf, tableAt, tableOf } from './find-matches.ts';
import type { MatchContext } from './match-context.ts';
import { ALLOWS, LABELS } from './precedence.ts';
import type { EngineProfile, Extent, Pool, ProfileTable } from './profile.ts';
import { type Settled, settleRewrites } from './rewrites.ts';
import {
  addCandidate,
  addComplex,
  type Candidate,
  createSelection,
  type Selection,
  startSelection,
} from './select-rule.ts';

// What bare rules say of a name follows from the name alone, and so does that none says anything. That is remembered: where
// the rule stands, as in hits, and in the last bit whether it allows; or that there is none.
const ALLOW = 1;
const PASS = -1;

/** Judges the matter of its thread; a verdict is valid until the next. Nothing is allocated for bare names. */
export function createMatcher(context: MatchContext) {
  const hits = createHits();
  const generic = createGenericMatches();
  const selection = createSelection();
  const verdict = createVerdict();

  const selectRule = (profile: EngineProfile, { from, to }: Pool): void => {
    startSelection(selection);
    for (let nth = 0; nth < hits.count; nth++) {
      const index = tableOf(hits, nth);
      if (index < from || index >= to) continue;
      addCandidate(selection, context, profile, hits, nth);
    }
    for (let nth = 0; nth < generic.count; nth++) {
      const index = matchTable(generic, nth);
      if (index < from || index >= to) continue;
      const by = profile.tables[index]!;
      addComplex(selection, context, profile, by, complexRule(by.table, matchNumber(generic, nth)));
    }
  };

  /** Tells what the pool says; true when nothing behind it is asked any more. */
  const settle = (pool: Pool): boolean => {
    const rewrite = selectRewrites(selection, context);
    if (rewrite) {
      reportComplex(verdict, 'rewrite', rewrite.by.by, rewrite.by.complex);
      verdict.rewrite = rewrite.rewrite;
      return true;
    }
    if (selection.priority < 0) return false;
    // The first pool that allows is remembered, until a later one blocks.
    if (selection.allow && verdict.kind === 'allow') return false;
    const kind = selection.allow ? 'allow' : 'block';
    const { complex, by, slot, labels } = selection;
    if (complex) reportComplex(verdict, kind, by!, complex);
    else reportDomain(kind, by!, slot, labels);
    return !selection.allow || pool.allowEnds === 'everything';
  };

  /**
   * Nearly all that is found are bare names of one pool: then the strongest is known by numbers alone. False if it is
   * not so.
   */
  const reportStrongestDomainRule = (profile: EngineProfile): boolean => {
    if (profile.switchedOff !== undefined || context.place !== undefined) return false;
    const { pool } = profile.tables[tableOf(hits, 0)]!;
    let strongest = -1;
    let leader = -1;
    for (let nth = 0; nth < hits.count; nth++) {
      const tag = hits.tags[nth]!;
      if ((tag & MORE) !== 0 || profile.tables[tableOf(hits, nth)]!.pool !== pool) return false;
      const labels = labelsOf(hits, nth);
      const priority = domainRulePriorities[labels === context.keys.count ? tag : tag + TAG + 1]! + labels * LABELS;
      if (priority <= strongest) continue;
      strongest = priority;
      leader = nth;
    }
    if (leader === -1) {
      passes();
      return true;
    }
    const place = (hits.places[leader]! << 1) | (strongest < ALLOWS ? 0 : ALLOW);
    tellPlace(profile, place, hits.slots[leader]!);
    if (generic.skipped === 0) context.keys.putVerdict(place, hits.slots[leader]!);
    return true;
  };

  const passes = (): Verdict => {
    if (generic.skipped === 0) context.keys.putVerdict(PASS, 0);
    return clearVerdict(verdict);
  };

  const tellAgain = (profile: EngineProfile): Verdict => {
    const [place, slot] = [context.keys.cachedVerdict[0]!, context.keys.cachedVerdict[1]!];
    if (place === PASS) return clearVerdict(verdict);
    tellPlace(profile, place, slot);
    return verdict;
  };

  const reportDomain = (kind: 'allow' | 'block', by: ProfileTable, slot: number, labels: number): void => {
    reportDomainRule(verdict, kind, by, slot);
    const rule = verdict.by;
    if (rule.name !== context.name) rule.name = context.name;
    rule.nameAt = context.at + startOf(context.keys, labels);
  };

  const tellPlace = ({ tables }: EngineProfile, place: number, slot: number): void => {
    const kind = (place & ALLOW) === 0 ? 'block' : 'allow';
    reportDomain(kind, tables[tableAt(place >> 1)]!, slot, labelsAt(place >> 1));
  };

  const judge = (profile: EngineProfile, { tables, pools }: Extent): Verdict => {
    if (context.keys.isCached) {
      generic.skipped = 0;
      return tellAgain(profile);
    }
    findHits(profile, tables, context.keys, hits);
    if (mayMatchGeneric(profile, context)) findGeneric(profile, tables, context, generic);
    else {
      generic.count = 0;
      generic.skipped = 0;
    }
    if (generic.count === 0) {
      if (hits.count === 0) return passes();
      if (reportStrongestDomainRule(profile)) return verdict;
    }
    clearVerdict(verdict);
    for (let nth = 0; nth < pools; nth++) {
      const pool = profile.pools[nth]!;
      selectRule(profile, pool);
      if (settle(pool)) break;
    }
    return verdict;
  };

  return {
    judge,
    pass: () => clearVerdict(verdict),
    /** The steps for all that is judged until the next call. */
    allowSteps: () => allowSteps(generic),
    /** How many rules the last decision has skipped. */
    skipped: () => generic.skipped,
    automata: generic.runner.automata,
  };
}

/** Answers from hosts lines stand behind all rules: they count only where none blocks or allows. */
function selectRewrites(
  { rewriting, answering, priority }: Selection,
  context: MatchContext,
): Settled<Candidate> | undefined {
  if (rewriting.length > 0) {
    const settled = settleRewrites(rewriting.sort(byPriority), context.text(), context.type);
    if (settled) return settled;
  }
  return priority < 0 && answering.length > 0 ? settleHostsLines(answering, context.type) : undefined;
}

const byPriority = (one: Candidate, other: Candidate): number => other.complex.priority - one.complex.priority;

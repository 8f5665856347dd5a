import { furtherRule } from '../build/complex-rules.ts';
import { bareStrengths } from '../build/domain-rules.ts';
import { settleHostsLines } from '../build/hosts-line-rule.ts';
import { startOf } from '../name-keys.ts';
import { MORE, TAG } from '../table-layout.ts';
import { clearVerdict, createVerdict, tellBare, tellFurther, type Verdict } from '../verdict.ts';
import {
  allowSteps,
  createGenericMatches,
  findGeneric,
  matchNumber,
  matchTable,
  mayMatchGeneric,
} from './find-generic.ts';
import { createHits, findHits, labelsAt, labelsOf, tableAt, tableOf } from './find-matches.ts';
import type { Matter } from './match-context.ts';
import { ALLOWS, LABELS } from './precedence.ts';
import type { EngineProfile, Extent, Pool } from './profile.ts';
import { type Settled, settleRewrites } from './rewrites.ts';
import { type Contender, type Contest, createContest, enterFurther, enterSlot, startContest } from './select-rule.ts';

// What bare rules say of a name follows from the name alone, and so does that none says anything. That is remembered: where
// the rule stands, as in hits, and in the last bit whether it allows; or that there is none.
const ALLOW = 1;
const PASS = -1;

/** Judges the matter of its thread; a verdict is valid until the next. Nothing is allocated for bare names. */
export function createJudge(matter: Matter) {
  const hits = createHits();
  const generic = createGenericMatches();
  const contest = createContest();
  const verdict = createVerdict();

  const holdContest = (profile: EngineProfile, { from, to }: Pool): void => {
    startContest(contest);
    for (let nth = 0; nth < hits.count; nth++) {
      const index = tableOf(hits, nth);
      if (index < from || index >= to) continue;
      enterSlot(contest, matter, profile, profile.tables[index]!, labelsOf(hits, nth), hits.slots[nth]!);
    }
    for (let nth = 0; nth < generic.count; nth++) {
      const index = matchTable(generic, nth);
      if (index < from || index >= to) continue;
      const by = profile.tables[index]!;
      enterFurther(contest, matter, profile, by, furtherRule(by.table, matchNumber(generic, nth)));
    }
  };

  /** Tells what the pool says; true when nothing behind it is asked any more. */
  const settle = (pool: Pool): boolean => {
    const rewrite = settleContestRewrites(contest, matter);
    if (rewrite) {
      tellFurther(verdict, 'rewrite', rewrite.by.by, rewrite.by.further);
      verdict.rewrite = rewrite.rewrite;
      return true;
    }
    if (contest.strength < 0) return false;
    // The first pool that allows is remembered, until a later one blocks.
    if (contest.allow && verdict.kind === 'allow') return false;
    const kind = contest.allow ? 'allow' : 'block';
    const { further, by, slot, labels } = contest;
    if (further) tellFurther(verdict, kind, by!, further);
    else tellBare(verdict, kind, by!, slot, matter.name, matter.at + startOf(matter.keys, labels));
    return !contest.allow || pool.allowEnds === 'everything';
  };

  /**
   * Nearly all that is found are bare names of one pool: then the strongest is known by numbers alone. False if it is
   * not so.
   */
  const tellStrongestBare = (profile: EngineProfile): boolean => {
    if (profile.switchedOff !== undefined || matter.place !== undefined) return false;
    const { pool } = profile.tables[tableOf(hits, 0)]!;
    let strongest = -1;
    let leader = -1;
    for (let nth = 0; nth < hits.count; nth++) {
      const tag = hits.tags[nth]!;
      if ((tag & MORE) !== 0 || profile.tables[tableOf(hits, nth)]!.pool !== pool) return false;
      const labels = labelsOf(hits, nth);
      const strength = bareStrengths[labels === matter.keys.count ? tag : tag + TAG + 1]! + labels * LABELS;
      if (strength <= strongest) continue;
      strongest = strength;
      leader = nth;
    }
    if (leader === -1) {
      passes();
      return true;
    }
    const place = (hits.places[leader]! << 1) | (strongest < ALLOWS ? 0 : ALLOW);
    tellPlace(profile, place, hits.slots[leader]!);
    if (generic.skipped === 0) matter.keys.remember(place, hits.slots[leader]!);
    return true;
  };

  const passes = (): Verdict => {
    if (generic.skipped === 0) matter.keys.remember(PASS, 0);
    return clearVerdict(verdict);
  };

  const tellAgain = (profile: EngineProfile): Verdict => {
    const [place, slot] = [matter.keys.recalled[0]!, matter.keys.recalled[1]!];
    if (place === PASS) return clearVerdict(verdict);
    tellPlace(profile, place, slot);
    return verdict;
  };

  const tellPlace = ({ tables }: EngineProfile, place: number, slot: number): void => {
    const kind = (place & ALLOW) === 0 ? 'block' : 'allow';
    const nameAt = matter.at + startOf(matter.keys, labelsAt(place >> 1));
    tellBare(verdict, kind, tables[tableAt(place >> 1)]!, slot, matter.name, nameAt);
  };

  const judge = (profile: EngineProfile, { tables, pools }: Extent): Verdict => {
    if (matter.keys.isRecalled) {
      generic.skipped = 0;
      return tellAgain(profile);
    }
    findHits(profile, tables, matter.keys, hits);
    if (mayMatchGeneric(profile, matter)) findGeneric(profile, tables, matter, generic);
    else {
      generic.count = 0;
      generic.skipped = 0;
    }
    if (generic.count === 0) {
      if (hits.count === 0) return passes();
      if (tellStrongestBare(profile)) return verdict;
    }
    clearVerdict(verdict);
    for (let nth = 0; nth < pools; nth++) {
      const pool = profile.pools[nth]!;
      holdContest(profile, pool);
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
function settleContestRewrites(
  { rewriting, answering, strength }: Contest,
  matter: Matter,
): Settled<Contender> | undefined {
  if (rewriting.length > 0) {
    const settled = settleRewrites(rewriting.sort(byStrength), matter.text(), matter.type);
    if (settled) return settled;
  }
  return strength < 0 && answering.length > 0 ? settleHostsLines(answering, matter.type) : undefined;
}

const byStrength = (one: Contender, other: Contender): number => other.further.strength - one.further.strength;

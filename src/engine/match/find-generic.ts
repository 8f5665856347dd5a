import type { Letters } from '../../rules/ascii-bytes.ts';
import { createRunner, type ExpressionRunner } from '../../rules/regex/regex-runner.ts';
import { type FurtherRule, furtherRule } from '../build/complex-rules.ts';
import { ALWAYS, firstOfGram, MAX_MET, meetGrams, readWords } from '../shortcut-index.ts';
import { GRAM } from '../table-layout.ts';
import type { Matter } from './match-context.ts';
import type { EngineProfile } from './profile.ts';

/**
 * Work that one decision may do, in steps of expressions: about half a millisecond, however the rules are written. Wildcards are tried
 * before expressions, and both in the order of tables and lines; those that are left when the steps are used up are skipped.
 */
const STEPS_A_DECISION = 20_000;
/** New states are dearer than steps; automata grow over several names. */
const STATES_A_DECISION = 16;
/** Each rule that is tried takes at least so many: it must be found and sorted. */
const STEPS_A_RULE = 4;

/** Wildcards and expressions that match, in the order of tables and lines. One serves a thread for all its decisions. */
export type GenericMatches = {
  count: number;
  /** How many were not tried, or not to their end, because the steps of the decision were used up. */
  skipped: number;
  /** The table in the profile and the number of the rule in it; see `matchTable` and `matchNumber`. */
  places: Float64Array;
  /** Grams of the name that some rule may be known by. */
  readonly met: Int32Array;
  readonly oddWords: Int32Array;
  readonly runner: ExpressionRunner;
};

// A table has fewer rules than this, and a profile fewer tables than numbers leave room for.
const TABLE = 2 ** 32;
const FEW = 64;

export const createGenericMatches = (): GenericMatches => ({
  count: 0,
  skipped: 0,
  places: new Float64Array(FEW),
  met: new Int32Array(MAX_MET),
  oddWords: new Int32Array(MAX_MET),
  runner: createRunner(),
});

/** Resets the budget for the next decision. */
export function allowSteps({ runner }: GenericMatches): void {
  runner.stepsLeft = STEPS_A_DECISION;
  runner.statesLeft = STATES_A_DECISION;
}

export const matchTable = ({ places }: GenericMatches, nth: number): number => Math.floor(places[nth]! / TABLE);
export const matchNumber = ({ places }: GenericMatches, nth: number): number =>
  places[nth]! - Math.floor(places[nth]! / TABLE) * TABLE;

/** Whether any wildcard or expression can match. Most names have no gram of any rule. */
export const mayMatchGeneric = ({ grams, triesAlways }: EngineProfile, { keys }: Matter): boolean =>
  grams !== undefined && (keys.mayMeet || keys.isOdd || triesAlways);

export function findGeneric(profile: EngineProfile, tableCount: number, matter: Matter, into: GenericMatches): void {
  const { met } = into;
  const metCount = matter.keys.isOdd
    ? meetOdd(profile, matter, into)
    : meetGrams(profile.grams!, matter.keys.words, matter.keys.wordCount, met);
  into.count = 0;
  into.skipped = 0;
  for (let nth = 0; nth < profile.generic.length; nth++) {
    const index = profile.generic[nth]!;
    if (index >= tableCount) break;
    const { grams } = profile.tables[index]!.table;
    if (profile.triesAlways) addCandidates(grams, index, ALWAYS, into);
    for (let nthMet = 0; nthMet < metCount; nthMet++) addCandidates(grams, index, met[nthMet]!, into);
  }
  if (into.count > 0) keepMatching(profile, matter, into);
}

/** What is matched is the text of a name, and here that has other words than the name. */
function meetOdd({ grams }: EngineProfile, matter: Matter, { oddWords, met }: GenericMatches): number {
  return meetGrams(grams!, oddWords, readWords(matter.letters(), oddWords), met);
}

function addCandidates(grams: Int32Array, index: number, gram: number, into: GenericMatches): void {
  for (let at = firstOfGram(grams, gram) * GRAM; grams[at] === gram; at += GRAM) {
    into.runner.stepsLeft -= STEPS_A_RULE;
    if (into.runner.stepsLeft < 0) into.skipped += 1;
    else addCandidate(into, index * TABLE + grams[at + 1]!);
  }
}

function addCandidate(into: GenericMatches, place: number): void {
  if (into.count === into.places.length) {
    const longer = new Float64Array(2 * into.count);
    longer.set(into.places);
    into.places = longer;
  }
  into.places[into.count] = place;
  into.count += 1;
}

/** Candidates that do not match, or are skipped, become this. */
const GONE = -1;

function keepMatching({ tables }: EngineProfile, matter: Matter, into: GenericMatches): void {
  const letters = matter.letters();
  sortPlaces(into);
  const { places, count } = into;
  let hasExpressions = false;
  let last = GONE;
  for (let nth = 0; nth < count; nth++) {
    const place = places[nth]!;
    const rule = furtherRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (place === last) places[nth] = GONE;
    else if (rule.isExpression) hasExpressions = true;
    else if (!isMatching(rule, letters, into)) places[nth] = GONE;
    last = place;
  }
  if (hasExpressions) matchExpressions(tables, letters, into);
  into.count = 0;
  for (let nth = 0; nth < count; nth++) {
    if (places[nth] === GONE) continue;
    places[into.count] = places[nth]!;
    into.count += 1;
  }
}

function matchExpressions(tables: EngineProfile['tables'], letters: Letters, into: GenericMatches): void {
  for (let nth = 0; nth < into.count; nth++) {
    if (into.places[nth] === GONE) continue;
    const rule = furtherRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (rule.isExpression && !isMatching(rule, letters, into)) into.places[nth] = GONE;
  }
}

function isMatching({ matches }: FurtherRule, letters: Letters, into: GenericMatches): boolean {
  const { runner } = into;
  if (runner.stepsLeft >= 0 && matches(letters, runner)) return true;
  if (runner.stepsLeft < 0) into.skipped += 1;
  return false;
}

/** A few are sorted by hand: a part of an array would be an object of its own. */
function sortPlaces({ places, count }: GenericMatches): void {
  if (count > FEW) {
    places.subarray(0, count).sort();
    return;
  }
  for (let nth = 1; nth < count; nth++) {
    const place = places[nth]!;
    let to = nth;
    for (; to > 0 && places[to - 1]! > place; to--) places[to] = places[to - 1]!;
    places[to] = place;
  }
}

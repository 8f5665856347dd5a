import type { AsciiBytes } from '../../rules/ascii-bytes.ts';
import { createRunner, type RegexRunner } from '../../rules/regex/regex-runner.ts';
import { type ComplexRule, complexRule } from '../build/complex-rules.ts';
import { ALWAYS, addShortcuts, firstOfShortcut, MAX_MET, readWords } from '../shortcut-index.ts';
import { SHORTCUT_LENGTH } from '../table-layout.ts';
import type { MatchContext } from './match-context.ts';
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
  readonly runner: RegexRunner;
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
export const mayMatchGeneric = ({ shortcuts, triesAlways }: EngineProfile, { keys }: MatchContext): boolean =>
  shortcuts !== undefined && (keys.mayMeet || keys.isOdd || triesAlways);

export function findGeneric(
  profile: EngineProfile,
  tableCount: number,
  context: MatchContext,
  into: GenericMatches,
): void {
  const { met } = into;
  const metCount = context.keys.isOdd
    ? meetOdd(profile, context, into)
    : addShortcuts(profile.shortcuts!, context.keys.words, context.keys.wordCount, met);
  into.count = 0;
  into.skipped = 0;
  for (let nth = 0; nth < profile.generic.length; nth++) {
    const index = profile.generic[nth]!;
    if (index >= tableCount) break;
    const { shortcuts } = profile.tables[index]!.table;
    if (profile.triesAlways) addCandidates(shortcuts, index, ALWAYS, into);
    for (let nthMet = 0; nthMet < metCount; nthMet++) addCandidates(shortcuts, index, met[nthMet]!, into);
  }
  if (into.count > 0) keepMatching(profile, context, into);
}

/** What is matched is the text of a name, and here that has other words than the name. */
function meetOdd({ shortcuts }: EngineProfile, context: MatchContext, { oddWords, met }: GenericMatches): number {
  return addShortcuts(shortcuts!, oddWords, readWords(context.letters(), oddWords), met);
}

function addCandidates(shortcuts: Int32Array, index: number, shortcut: number, into: GenericMatches): void {
  for (
    let at = firstOfShortcut(shortcuts, shortcut) * SHORTCUT_LENGTH;
    shortcuts[at] === shortcut;
    at += SHORTCUT_LENGTH
  ) {
    into.runner.stepsLeft -= STEPS_A_RULE;
    if (into.runner.stepsLeft < 0) into.skipped += 1;
    else addCandidate(into, index * TABLE + shortcuts[at + 1]!);
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

function keepMatching({ tables }: EngineProfile, context: MatchContext, into: GenericMatches): void {
  const letters = context.letters();
  sortPlaces(into);
  const { places, count } = into;
  let hasRegexes = false;
  let last = GONE;
  for (let nth = 0; nth < count; nth++) {
    const place = places[nth]!;
    const rule = complexRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (place === last) places[nth] = GONE;
    else if (rule.isExpression) hasRegexes = true;
    else if (!isMatching(rule, letters, into)) places[nth] = GONE;
    last = place;
  }
  if (hasRegexes) matchRegexes(tables, letters, into);
  into.count = 0;
  for (let nth = 0; nth < count; nth++) {
    if (places[nth] === GONE) continue;
    places[into.count] = places[nth]!;
    into.count += 1;
  }
}

function matchRegexes(tables: EngineProfile['tables'], letters: AsciiBytes, into: GenericMatches): void {
  for (let nth = 0; nth < into.count; nth++) {
    if (into.places[nth] === GONE) continue;
    const rule = complexRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (rule.isExpression && !isMatching(rule, letters, into)) into.places[nth] = GONE;
  }
}

function isMatching({ matches }: ComplexRule, letters: AsciiBytes, into: GenericMatches): boolean {
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

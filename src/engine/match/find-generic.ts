import type { AsciiBytes } from '../../rules/ascii-bytes.ts';
import { type AutomatonMemory, createRunner, type RegexRunner } from '../../rules/regex/regex-runner.ts';
import { type ComplexRule, complexRule } from '../build/complex-rules.ts';
import { ALWAYS, addShortcuts, firstOfShortcut, MAX_SHORTCUTS, readWords } from '../shortcut-index.ts';
import { SHORTCUT_LENGTH } from '../table-layout.ts';
import type { MatchContext } from './match-context.ts';
import type { EngineProfile } from './profile.ts';

/**
 * Budget of one decision in regular-expression steps: about half a millisecond for any rules. Wildcards are tried
 * before regular expressions, both in table and line order; when the budget is used up, the remaining rules are
 * skipped.
 */
const STEPS_A_DECISION = 20_000;
/** A new state costs more than a step; automata grow over several names. */
const STATES_A_DECISION = 16;
/** Minimum charge per tried rule, for lookup and sorting. */
const STEPS_A_RULE = 4;

/** Matching wildcards and regular expressions in table and line order. One object per thread. */
export type GenericMatches = {
  count: number;
  /** Rules not tried, or not completely, because the budget was used up. */
  skipped: number;
  /** Table index in the profile and rule number in one value; see `matchTable` and `matchNumber`. */
  positions: Float64Array;
  /** Shortcuts of the name that the filter may contain. */
  readonly found: Int32Array;
  readonly escapedWords: Int32Array;
  readonly runner: RegexRunner;
};

// More than the rules of a table; table indexes still fit above it.
const TABLE = 2 ** 32;
const FEW = 64;

export const createGenericMatches = (automata?: AutomatonMemory): GenericMatches => ({
  count: 0,
  skipped: 0,
  positions: new Float64Array(FEW),
  found: new Int32Array(MAX_SHORTCUTS),
  escapedWords: new Int32Array(MAX_SHORTCUTS),
  runner: createRunner(automata),
});

/** Resets the budget for the next decision. */
export function allowSteps({ runner }: GenericMatches): void {
  runner.stepsLeft = STEPS_A_DECISION;
  runner.statesLeft = STATES_A_DECISION;
}

export const matchTable = ({ positions }: GenericMatches, nth: number): number => Math.floor(positions[nth]! / TABLE);
export const matchNumber = ({ positions }: GenericMatches, nth: number): number =>
  positions[nth]! - Math.floor(positions[nth]! / TABLE) * TABLE;

/** Whether any wildcard or regular expression can match. Most names have no shortcut of any rule. */
export const mayMatchGeneric = ({ shortcuts, triesAlways }: EngineProfile, { keys }: MatchContext): boolean =>
  shortcuts !== undefined && (keys.mayHaveShortcut || keys.hasEscapes || triesAlways);

export function findGeneric(
  profile: EngineProfile,
  tableCount: number,
  context: MatchContext,
  into: GenericMatches,
): void {
  const { found } = into;
  const foundCount = context.keys.hasEscapes
    ? addEscapedShortcuts(profile, context, into)
    : addShortcuts(profile.shortcuts!, context.keys.words, context.keys.wordCount, found);
  into.count = 0;
  into.skipped = 0;
  for (let nth = 0; nth < profile.generic.length; nth++) {
    const index = profile.generic[nth]!;
    if (index >= tableCount) break;
    const { shortcuts } = profile.tables[index]!.table;
    if (profile.triesAlways) addCandidates(shortcuts, index, ALWAYS, into);
    for (let at = 0; at < foundCount; at++) addCandidates(shortcuts, index, found[at]!, into);
  }
  if (into.count > 0) keepMatching(profile, context, into);
}

/** Patterns match the escaped text of a name; for such names its words differ from those of the wire name. */
function addEscapedShortcuts(
  { shortcuts }: EngineProfile,
  context: MatchContext,
  { escapedWords, found }: GenericMatches,
): number {
  return addShortcuts(shortcuts!, escapedWords, readWords(context.letters(), escapedWords), found);
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

function addCandidate(into: GenericMatches, position: number): void {
  if (into.count === into.positions.length) {
    const longer = new Float64Array(2 * into.count);
    longer.set(into.positions);
    into.positions = longer;
  }
  into.positions[into.count] = position;
  into.count += 1;
}

/** Marks candidates that did not match or were skipped. */
const GONE = -1;

function keepMatching({ tables }: EngineProfile, context: MatchContext, into: GenericMatches): void {
  const letters = context.letters();
  sortPositions(into);
  const { positions, count } = into;
  let hasRegexes = false;
  let last = GONE;
  for (let nth = 0; nth < count; nth++) {
    const position = positions[nth]!;
    const rule = complexRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (position === last) positions[nth] = GONE;
    else if (rule.isExpression) hasRegexes = true;
    else if (!isMatching(rule, letters, into)) positions[nth] = GONE;
    last = position;
  }
  if (hasRegexes) matchRegexes(tables, letters, into);
  into.count = 0;
  for (let nth = 0; nth < count; nth++) {
    if (positions[nth] === GONE) continue;
    positions[into.count] = positions[nth]!;
    into.count += 1;
  }
}

function matchRegexes(tables: EngineProfile['tables'], letters: AsciiBytes, into: GenericMatches): void {
  for (let nth = 0; nth < into.count; nth++) {
    if (into.positions[nth] === GONE) continue;
    const rule = complexRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (rule.isExpression && !isMatching(rule, letters, into)) into.positions[nth] = GONE;
  }
}

function isMatching({ matches }: ComplexRule, letters: AsciiBytes, into: GenericMatches): boolean {
  const { runner } = into;
  if (runner.stepsLeft >= 0 && matches(letters, runner)) return true;
  if (runner.stepsLeft < 0) into.skipped += 1;
  return false;
}

/** Insertion sort: sorting a part of an array would allocate a view. */
function sortPositions({ positions, count }: GenericMatches): void {
  if (count > FEW) {
    positions.subarray(0, count).sort();
    return;
  }
  for (let nth = 1; nth < count; nth++) {
    const position = positions[nth]!;
    let to = nth;
    for (; to > 0 && positions[to - 1]! > position; to--) positions[to] = positions[to - 1]!;
    positions[to] = position;
  }
}

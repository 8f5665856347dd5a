import { furtherRule } from './further-rules.ts';
import { ALWAYS, firstOfGram, MAX_MET, meetGrams, readWords } from './grams.ts';
import type { Matter } from './matter.ts';
import type { EngineProfile } from './profile.ts';
import { GRAM } from './table-layout.ts';

/** Wildcards and expressions that match, in the order of tables and lines. One serves a thread for all its decisions. */
type GenericMatches = {
  count: number;
  /** The table in the profile and the number of the rule in it; see `matchTable` and `matchNumber`. */
  places: Float64Array;
  /** Grams of the name that some rule may be known by. */
  readonly met: Int32Array;
  readonly oddWords: Int32Array;
};

// A table has fewer rules than this, and a profile fewer tables than numbers leave room for.
const TABLE = 2 ** 32;
const FEW = 64;

export const createGenericMatches = (): GenericMatches => ({
  count: 0,
  places: new Float64Array(FEW),
  met: new Int32Array(MAX_MET),
  oddWords: new Int32Array(MAX_MET),
});

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
  if (profile.triesAlways) addCandidates(profile, tableCount, ALWAYS, into);
  for (let nth = 0; nth < metCount; nth++) addCandidates(profile, tableCount, met[nth]!, into);
  if (into.count > 0) keepMatching(profile, matter, into);
}

/** What is matched is the text of a name, and here that has other words than the name. */
function meetOdd({ grams }: EngineProfile, matter: Matter, { oddWords, met }: GenericMatches): number {
  return meetGrams(grams!, oddWords, readWords(matter.letters(), oddWords), met);
}

function addCandidates({ generic, tables }: EngineProfile, tableCount: number, gram: number, into: GenericMatches) {
  for (let nth = 0; nth < generic.length; nth++) {
    const index = generic[nth]!;
    if (index >= tableCount) return;
    const { grams } = tables[index]!.table;
    for (let at = firstOfGram(grams, gram) * GRAM; grams[at] === gram; at += GRAM)
      addCandidate(into, index * TABLE + grams[at + 1]!);
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

function keepMatching({ tables }: EngineProfile, matter: Matter, into: GenericMatches): void {
  const letters = matter.letters();
  sortPlaces(into);
  const { places, count } = into;
  let last = -1;
  into.count = 0;
  for (let nth = 0; nth < count; nth++) {
    const place = places[nth]!;
    if (place === last) continue;
    last = place;
    const rule = furtherRule(tables[matchTable(into, nth)]!.table, matchNumber(into, nth));
    if (!rule.matches(letters)) continue;
    places[into.count] = place;
    into.count += 1;
  }
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

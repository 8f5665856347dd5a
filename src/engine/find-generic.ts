import { furtherRule } from './further-rules.ts';
import { ALWAYS, firstOfGram, visitGrams } from './grams.ts';
import type { Matter } from './matter.ts';
import type { EngineProfile } from './profile.ts';
import { GRAM } from './table-layout.ts';

/** A wildcard or expression that matches: the table in the profile, and the rule's number in it. */
export type GenericMatch = { readonly index: number; readonly number: number };

// A table has fewer rules than this, and a profile fewer tables than numbers leave room for.
const TABLE = 2 ** 32;

/** Finds them; one finder a thread. What it gives is in the order of tables and lines, and valid until the next call. */
export function createGenericFinder() {
  const candidates: number[] = [];
  const found: GenericMatch[] = [];
  let profile: EngineProfile;
  let tableCount = 0;

  const addCandidates = (gram: number): void => {
    for (const index of profile.generic) {
      if (index >= tableCount) return;
      const { grams } = profile.tables[index]!.table;
      for (let nth = firstOfGram(grams, gram); grams[nth * GRAM] === gram; nth++)
        candidates.push(index * TABLE + grams[nth * GRAM + 1]!);
    }
  };

  return (asked: EngineProfile, tables: number, matter: Matter): readonly GenericMatch[] => {
    profile = asked;
    tableCount = tables;
    if (candidates.length > 0) candidates.length = 0;
    if (found.length > 0) found.length = 0;
    addCandidates(ALWAYS);
    visitGrams(asked.grams!, matter.readLetters(), addCandidates);
    if (candidates.length > 1) candidates.sort((one, other) => one - other);
    for (let nth = 0; nth < candidates.length; nth++) {
      const candidate = candidates[nth]!;
      if (candidate === candidates[nth - 1]) continue;
      const index = Math.trunc(candidate / TABLE);
      const number = candidate % TABLE;
      if (furtherRule(asked.tables[index]!.table, number).matches(matter.text())) found.push({ index, number });
    }
    return found;
  };
}

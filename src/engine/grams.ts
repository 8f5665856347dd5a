import type { NameLetters } from './name-letters.ts';
import { GRAM } from './table-layout.ts';

// Wildcards and expressions cannot be looked up by a name. But most of them match only names that hold certain letters,
// and four of those, a gram, are looked for while walking once over the name, whatever the number of rules.

const LETTERS = 4;
const FILTER_BITS = 15;

/** Stands for the rules that are not known by any letters and must be tried on every name. */
export const ALWAYS = 0;

const gramAt = (text: string, at: number): number =>
  text.charCodeAt(at) |
  (text.charCodeAt(at + 1) << 8) |
  (text.charCodeAt(at + 2) << 16) |
  (text.charCodeAt(at + 3) << 24);

/** Rules that are tried on every name are tried on the texts of addresses too. */
export const mayBeInAddress = (gram: number): boolean =>
  gram === ALWAYS || [0, 8, 16, 24].every((shift) => /[0-9a-f.:]/.test(String.fromCharCode((gram >> shift) & 0xff)));

export type GramFilter = Int32Array;

export const createGramFilter = (): GramFilter => new Int32Array(2 ** FILTER_BITS / 32);

const hash = (gram: number, bits: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - bits);

export function addGram(filter: GramFilter, gram: number): void {
  const bit = hash(gram, FILTER_BITS);
  filter[bit >>> 5]! |= 1 << (bit & 31);
}

/** Calls `visit` wherever the letters may be a gram of some rule. */
export function visitGrams(filter: GramFilter, { letters, length }: NameLetters, visit: (gram: number) => void): void {
  let gram = (letters[0]! << 8) | (letters[1]! << 16) | (letters[2]! << 24);
  for (let at = LETTERS - 1; at < length; at++) {
    gram = (gram >>> 8) | (letters[at]! << 24);
    const bit = hash(gram, FILTER_BITS);
    if ((filter[bit >>> 5]! & (1 << (bit & 31))) !== 0) visit(gram);
  }
}

/** The place of the first entry of a gram in the sorted pairs of a table. */
export function firstOfGram(grams: Int32Array, gram: number): number {
  let from = 0;
  let to = grams.length / GRAM;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (grams[middle * GRAM]! < gram) from = middle + 1;
    else to = middle;
  }
  return from;
}

const SAMPLE_BYTES = 512 * 1024;
const COUNTER_BITS = 16;

/** How often each four letters stand in the beginning of a list: its names are much like those that will be asked for. */
export type GramCounts = Uint32Array;

export function countGrams(text: Uint8Array): GramCounts {
  const counts = new Uint32Array(2 ** COUNTER_BITS);
  const end = Math.min(text.length, SAMPLE_BYTES);
  let gram = 0;
  for (let at = 0; at < end; at++) {
    gram = (gram >>> 8) | (text[at]! << 24);
    counts[hash(gram, COUNTER_BITS)]! += 1;
  }
  return counts;
}

/** Letters of host names from the rarest to the commonest, roughly; for lists too short to tell. */
const byRarity = 'zqjxkvwybfg9876543210_pudhlmcntrsioae-.';
const commonness = (text: string, at: number): number =>
  [0, 1, 2, 3].reduce((sum, nth) => sum + byRarity.indexOf(text[at + nth]!), 0) / 1000;

/**
 * The grams by which a rule is found. Of each alternative all texts stand in a name that it matches, so that the
 * rarest gram of them is enough; a rule with no alternatives may match any name.
 */
export function gramsOf(alternatives: readonly (readonly string[])[], counts: GramCounts): readonly number[] {
  const grams = alternatives.map((texts) => rarestGram(texts, counts));
  return grams.length === 0 || grams.includes(ALWAYS) ? [ALWAYS] : [...new Set(grams)];
}

function rarestGram(texts: readonly string[], counts: GramCounts): number {
  let best = ALWAYS;
  let bestCount = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    for (let at = 0; at + LETTERS <= text.length; at++) {
      const count = counts[hash(gramAt(text, at), COUNTER_BITS)]! + commonness(text, at);
      if (count >= bestCount) continue;
      bestCount = count;
      best = gramAt(text, at);
    }
  }
  return best;
}

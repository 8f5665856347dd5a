import { type AsciiBytes, asciiBytesOf, NON_ASCII } from '../rules/ascii-bytes.ts';
import type { ListText } from './list-text.ts';
import { SHORTCUT_LENGTH } from './table-layout.ts';
import { MAX_LETTERS } from './wildcard-bytes.ts';

// Wildcards and expressions cannot be looked up by a name. But most of them match only names that hold certain letters,
// and four of those, a gram, are looked for in the name, whatever the number of rules. Grams are the words that labels
// are hashed in: the first has the length of its label in front, and each begins four bytes behind the one before. So
// only a few places of a name are looked at. In a gram with three letters the fourth byte is zero and may be any.

const LETTERS = 4;
const FILTER_WORDS = 2048;
const DOT = 0x2e;
const LAST_THREE = ~0xff;
const FIRST_THREE = 0xffffff;

/** Stands for the rules that are not known by any letters and must be tried on every name. */
export const ALWAYS = 0;

/** What stands before the text or behind it is zero. */
const shortcutAt = (text: string, at: number): number =>
  byteAt(text, at) | (byteAt(text, at + 1) << 8) | (byteAt(text, at + 2) << 16) | (byteAt(text, at + 3) << 24);

const byteAt = (text: string, at: number): number => Math.min(text.charCodeAt(at) || 0, NON_ASCII - 1);

/** Rules that are tried on every name are tried on the texts of addresses too. */
export const mayBeInAddress = (shortcut: number): boolean =>
  shortcut === ALWAYS || [0, 8, 16, 24].every((shift) => isInAddress((shortcut >> shift) & 0xff));

// Bytes up to 63 may be the length of a label.
const isInAddress = (byte: number): boolean => byte < 0x40 || (byte >= 0x61 && byte <= 0x66);

/**
 * Which grams some rules may be known by. Two words for each pair of letters that stand in the middle of a gram, or for some
 * pairs together: in the first a bit for each first letter of three, then for each last letter of three; in the second the
 * same for grams of four letters, which are known by both. Kernels look at it too: see `knows` in kernels/name-keys.ts.
 */
export type ShortcutFilter = {
  readonly bits: Int32Array;
  /** Where it lies in the memory of the kernels that it was last given to. */
  place: number;
};

export const createShortcutFilter = (): ShortcutFilter => ({ bits: new Int32Array(FILTER_WORDS), place: 0 });

// Of letters the last five bits tell all.
const placeOf = (word: number): number => (((word >>> 8) & 31) | ((word >>> 11) & 0x3e0)) << 1;
const firstBit = (word: number): number => 1 << (word & 15);
const lastBit = (word: number): number => 1 << (16 + ((word >>> 24) & 15));

export function addShortcut({ bits }: ShortcutFilter, shortcut: number): void {
  const isFirstThree = shortcut >>> 24 === 0;
  const isLastThree = (shortcut & 0xff) === 0;
  const at = placeOf(shortcut);
  if (isFirstThree) bits[at]! |= firstBit(shortcut);
  if (isLastThree) bits[at]! |= lastBit(shortcut);
  if (!isFirstThree && !isLastThree) bits[at + 1]! |= firstBit(shortcut) | lastBit(shortcut);
}

/** How many grams of a name can be those of a rule: each word as it is, and its first and last three letters. */
export const MAX_MET = 3 * MAX_LETTERS;

/** Fills `met` with the grams of a name that may be a rule's, and gives their number. */
export function addShortcuts({ bits }: ShortcutFilter, words: Int32Array, count: number, met: Int32Array): number {
  let metCount = 0;
  for (let nth = 0; nth < count; nth++) {
    const word = words[nth]!;
    const ofThree = bits[placeOf(word)]!;
    const both = firstBit(word) | lastBit(word);
    if ((bits[placeOf(word) + 1]! & both) === both) met[metCount++] = word;
    if ((ofThree & lastBit(word)) !== 0) met[metCount++] = word & LAST_THREE;
    if ((ofThree & firstBit(word)) !== 0) met[metCount++] = word & FIRST_THREE;
  }
  return metCount;
}

/** The words of a text as `readNameKeys` gives those of a name: of each part between dots; gives their number. */
export function readWords({ letters, length }: AsciiBytes, words: Int32Array): number {
  let count = 0;
  for (let start = 0; start <= length; ) {
    let end = start;
    while (end < length && letters[end] !== DOT) end += 1;
    let word = (end - start) & 0xff;
    let shift = 8;
    for (let at = start; at < end; at++) {
      word |= letters[at]! << shift;
      shift = (shift + 8) & 31;
      if (shift !== 0) continue;
      words[count] = word;
      count += 1;
      word = 0;
    }
    if (shift !== 0) {
      words[count] = word;
      count += 1;
    }
    start = end + 1;
  }
  return count;
}

/** The place of the first entry of a gram in the sorted pairs of a table. */
export function firstOfShortcut(shortcuts: Int32Array, shortcut: number): number {
  let from = 0;
  let to = shortcuts.length / SHORTCUT_LENGTH;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (shortcuts[middle * SHORTCUT_LENGTH]! < shortcut) from = middle + 1;
    else to = middle;
  }
  return from;
}

const SAMPLE_BYTES = 512 * 1024;
const COUNTER_BITS = 16;

const counterOf = (shortcut: number): number =>
  Math.imul(shortcut ^ (shortcut >>> 16), 0x9e3779b1) >>> (32 - COUNTER_BITS);

/** How often each four letters stand in the beginning of a list: its names are much like those that will be asked for. */
export type ShortcutCounts = Uint32Array;

export function countShortcuts({ pieces }: Pick<ListText, 'pieces'>): ShortcutCounts {
  const counts = new Uint32Array(2 ** COUNTER_BITS);
  let left = SAMPLE_BYTES;
  let shortcut = 0;
  for (const piece of pieces()) {
    const end = Math.min(piece.length, left);
    for (let at = 0; at < end; at++) {
      shortcut = (shortcut >>> 8) | (piece[at]! << 24);
      counts[counterOf(shortcut)]! += 1;
    }
    left -= end;
    if (left === 0) break;
  }
  return counts;
}

/** Letters of host names from the rarest to the commonest, roughly; for lists too short to tell. */
const byRarity = 'zqjxkvwybfg9876543210_pudhlmcntrsioae-.';
const lettersIn = (shortcut: number): string =>
  String.fromCharCode(...[0, 8, 16, 24].map((shift) => (shortcut >> shift) & 0xff));

/** How often a gram is met, roughly. What stands around labels in a list tells how many begin or end so. */
function commonness(shortcut: number, counts: ShortcutCounts): number {
  const rarities = Array.from(lettersIn(shortcut), (letter) => byRarity.indexOf(letter));
  const guess = rarities.reduce((sum, rarity) => sum + (rarity === -1 ? byRarity.length : rarity), 0) / 1000;
  // Two letters are met nearly everywhere.
  if (rarities.filter((rarity) => rarity !== -1).length < 3) return guess + SAMPLE_BYTES;
  return guess + variants(shortcut).reduce((sum, each) => sum + counts[counterOf(each)]!, 0);
}

function variants(shortcut: number): readonly number[] {
  if (shortcut >>> 24 === 0) return behindLabels.map((byte) => shortcut | (byte << 24));
  return (shortcut & 0xff) < DOT - 1 ? beforeLabels.map((byte) => (shortcut & LAST_THREE) | byte) : [shortcut];
}

const codesOf = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const beforeLabels = codesOf('.| \n');
const behindLabels = codesOf('.^\r\n');

/** A text that stands in a name, and whether its ends are those of labels. */
export type Part = { readonly text: string; readonly startsLabel: boolean; readonly endsLabel: boolean };

/**
 * The grams by which a rule is found. Of each alternative all parts stand in a name that it matches, so that the
 * rarest of their grams is enough; a rule with no alternatives may match any name.
 */
export function shortcutsOf(alternatives: readonly (readonly Part[])[], counts: ShortcutCounts): readonly number[] {
  const sets = alternatives.map((parts) => rarest(parts.flatMap(shortcutSets), counts));
  return sets.length === 0 || sets.some((set) => set.length === 0) ? [ALWAYS] : [...new Set(sets.flat())];
}

/** Sets of grams of which a name that holds the part has at least one each. */
function shortcutSets({ text, startsLabel, endsLabel }: Part): readonly (readonly number[])[] {
  const labels = text.split('.');
  return labels.flatMap((label, nth) => {
    const isStart = nth > 0 || startsLabel;
    const isEnd = nth < labels.length - 1 || endsLabel;
    if (isStart && isEnd) return label === '' ? [] : wordsOf(label).map((word) => [word]);
    return isStart ? beginningSets(label) : looseSets(label);
  });
}

function wordsOf(label: string): readonly number[] {
  const words = new Int32Array(label.length);
  return [...words.subarray(0, readWords(asciiBytesOf(label), words))];
}

/** The length of the label is not known, nor what follows. */
function beginningSets(label: string): readonly (readonly number[])[] {
  const sets = label.length < 3 ? [] : [[shortcutAt(label, -1)]];
  for (let at = 3; at + LETTERS <= label.length; at += LETTERS) sets.push([shortcutAt(label, at)]);
  return sets;
}

/** Words may begin at any of four letters that follow each other. */
function looseSets(label: string): readonly (readonly number[])[] {
  const sets: number[][] = [];
  for (let at = 0; at + LETTERS + 1 <= label.length; at++)
    sets.push([
      shortcutAt(label, at - 1) & LAST_THREE,
      shortcutAt(label, at),
      shortcutAt(label, at + 1),
      at + 6 <= label.length ? shortcutAt(label, at + 2) : shortcutAt(label, at + 2) & FIRST_THREE,
    ]);
  return sets;
}

function rarest(sets: readonly (readonly number[])[], counts: ShortcutCounts): readonly number[] {
  let best: readonly number[] = [];
  let bestCount = Number.POSITIVE_INFINITY;
  for (const set of sets) {
    const count = set.reduce((sum, shortcut) => sum + commonness(shortcut, counts), 0);
    if (count >= bestCount) continue;
    bestCount = count;
    best = set;
  }
  return best;
}

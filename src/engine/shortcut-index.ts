import { type AsciiBytes, asciiBytesOf, NON_ASCII } from '../rules/ascii-bytes.ts';
import type { ListText } from './list-text.ts';
import { SHORTCUT_LENGTH } from './table-layout.ts';
import { MAX_LETTERS } from './wildcard-bytes.ts';

// Wildcards and regular expressions cannot be looked up by name. Most of them match only names with a certain literal;
// four of its bytes, the shortcut, are looked up in the name, independent of the number of rules. Shortcuts are the
// words that labels are hashed in: the first starts with the length byte of its label, and each starts four bytes after
// the previous one, so only a few offsets of a name are looked up. In a shortcut of three bytes the fourth is zero and
// matches any byte.

const LETTERS = 4;
const FILTER_WORDS = 2048;
const DOT = 0x2e;
const LAST_THREE = ~0xff;
const FIRST_THREE = 0xffffff;

/** Shortcut of the rules without a literal, which are tried on every name. */
export const ALWAYS = 0;

/** Bytes outside the text are zero. */
const shortcutAt = (text: string, at: number): number =>
  byteAt(text, at) | (byteAt(text, at + 1) << 8) | (byteAt(text, at + 2) << 16) | (byteAt(text, at + 3) << 24);

const byteAt = (text: string, at: number): number => Math.min(text.charCodeAt(at) || 0, NON_ASCII - 1);

/** Rules that are tried on every name are tried on the texts of addresses too. */
export const mayBeInAddress = (shortcut: number): boolean =>
  shortcut === ALWAYS || [0, 8, 16, 24].every((shift) => isInAddress((shortcut >> shift) & 0xff));

// Bytes below 64 may be the length of a label.
const isInAddress = (byte: number): boolean => byte < 0x40 || (byte >= 0x61 && byte <= 0x66);

/**
 * Filter of the shortcuts of a rule set. Two words per pair of middle bytes (some pairs share them): the first has a
 * bit for each first byte of three and each last byte of three; the second has the same for shortcuts of four bytes,
 * which set both. Kernels read it too: see `knows` in kernels/name-keys.ts.
 */
export type ShortcutFilter = {
  readonly bits: Int32Array;
  /** Index in the memory of the kernels that last used it. */
  index: number;
};

export const createShortcutFilter = (): ShortcutFilter => ({ bits: new Int32Array(FILTER_WORDS), index: 0 });

// The low five bits distinguish all letters.
const bitAddress = (word: number): number => (((word >>> 8) & 31) | ((word >>> 11) & 0x3e0)) << 1;
const firstBit = (word: number): number => 1 << (word & 15);
const lastBit = (word: number): number => 1 << (16 + ((word >>> 24) & 15));

export function addShortcut({ bits }: ShortcutFilter, shortcut: number): void {
  const isFirstThree = shortcut >>> 24 === 0;
  const isLastThree = (shortcut & 0xff) === 0;
  const at = bitAddress(shortcut);
  if (isFirstThree) bits[at]! |= firstBit(shortcut);
  if (isLastThree) bits[at]! |= lastBit(shortcut);
  if (!isFirstThree && !isLastThree) bits[at + 1]! |= firstBit(shortcut) | lastBit(shortcut);
}

/** Upper bound for the shortcuts of a name: each word, and its first and last three bytes. */
export const MAX_SHORTCUTS = 3 * MAX_LETTERS;

/** Fills `found` with the shortcuts of a name that the filter may contain; returns their number. */
export function addShortcuts({ bits }: ShortcutFilter, words: Int32Array, count: number, found: Int32Array): number {
  let foundCount = 0;
  for (let nth = 0; nth < count; nth++) {
    const word = words[nth]!;
    const ofThree = bits[bitAddress(word)]!;
    const both = firstBit(word) | lastBit(word);
    if ((bits[bitAddress(word) + 1]! & both) === both) found[foundCount++] = word;
    if ((ofThree & lastBit(word)) !== 0) found[foundCount++] = word & LAST_THREE;
    if ((ofThree & firstBit(word)) !== 0) found[foundCount++] = word & FIRST_THREE;
  }
  return foundCount;
}

/** Splits a text into words as `readNameKeys` does for a name, label by label; returns their number. */
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

/** Index of the first entry of a shortcut in the sorted pairs of a table. */
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

/** Frequency of each four-byte sequence in the beginning of a list: queried names are similar to its names. */
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

/** Characters of host names from the rarest to the most common, estimated; for lists too short to count. */
const byRarity = 'zqjxkvwybfg9876543210_pudhlmcntrsioae-.';
const lettersIn = (shortcut: number): string =>
  String.fromCharCode(...[0, 8, 16, 24].map((shift) => (shortcut >> shift) & 0xff));

/**
 * Estimated frequency of a shortcut. The characters around labels in a list show how many labels start or end that way.
 */
function commonness(shortcut: number, counts: ShortcutCounts): number {
  const rarities = Array.from(lettersIn(shortcut), (letter) => byRarity.indexOf(letter));
  const guess = rarities.reduce((sum, rarity) => sum + (rarity === -1 ? byRarity.length : rarity), 0) / 1000;
  // Two characters occur nearly everywhere.
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

/** A literal part of a name, and whether its ends are ends of labels. */
export type Part = { readonly text: string; readonly startsLabel: boolean; readonly endsLabel: boolean };

/**
 * The shortcuts of a rule. A matching name contains all parts of one alternative, so the rarest shortcut of each
 * alternative is enough; a rule without alternatives may match any name.
 */
export function shortcutsOf(alternatives: readonly (readonly Part[])[], counts: ShortcutCounts): readonly number[] {
  const sets = alternatives.map((parts) => rarest(parts.flatMap(shortcutSets), counts));
  return sets.length === 0 || sets.some((set) => set.length === 0) ? [ALWAYS] : [...new Set(sets.flat())];
}

/** Sets of shortcuts; a name with the part has at least one of each set. */
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

/** The length of the label and the following bytes are unknown. */
function beginningSets(label: string): readonly (readonly number[])[] {
  const sets = label.length < 3 ? [] : [[shortcutAt(label, -1)]];
  for (let at = 3; at + LETTERS <= label.length; at += LETTERS) sets.push([shortcutAt(label, at)]);
  return sets;
}

/** A word may start at any of four consecutive offsets. */
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

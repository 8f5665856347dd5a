import { charactersOf } from './character-set.ts';
import type { RegexTree } from './regex-tree.ts';

const MIN_LENGTH = 3;
const MAX_LITERALS = 256;
// Limit, because concatenation multiplies the texts.
const MAX_WHOLE = 64;

/** Known properties of every text that an expression matches. */
type Known = {
  /** All matching texts, if there are few. */
  readonly whole?: readonly string[];
  /** Every match contains one of these; empty if unknown. */
  readonly inside: readonly string[];
};

/** Every matching name contains at least one of these; empty if there is no such text. */
export function regexLiterals(tree: RegexTree): readonly string[] {
  const literals = best(candidates(knownOf(tree)));
  return isUseful(literals) ? withoutLonger(literals) : [];
}

const candidates = ({ whole, inside }: Known): (readonly string[])[] => (whole ? [whole, inside] : [inside]);

function knownOf(tree: RegexTree): Known {
  switch (tree.kind) {
    case 'character':
      return knownWhole(Array.from(charactersOf(tree.of)));
    case 'assertion':
      return knownWhole(['']);
    case 'sequence':
      return knownOfSequence(tree.parts.map(knownOf));
    case 'choice':
      return knownOfChoice(tree.branches.map(knownOf));
    case 'repeat':
      return knownOfRepeat(knownOf(tree.part), tree.min, tree.max);
  }
}

const knownWhole = (whole: readonly string[]): Known =>
  whole.length <= MAX_WHOLE ? { whole, inside: [] } : { inside: [] };

/** Adjacent parts with known texts combine to longer texts. */
function knownOfSequence(parts: readonly Known[]): Known {
  const runs: (readonly string[])[] = [];
  let run: readonly string[] = [''];
  let unbroken = true;
  for (const { whole, inside } of parts) {
    if (whole && run.length * whole.length <= MAX_WHOLE) {
      run = run.flatMap((start) => whole.map((end) => start + end));
      continue;
    }
    unbroken = false;
    runs.push(run, inside);
    run = whole ?? [''];
  }
  return unbroken ? { whole: run, inside: [] } : { inside: best([...runs, run]) };
}

function knownOfChoice(branches: readonly Known[]): Known {
  const whole = branches.flatMap((branch) => branch.whole ?? []);
  if (branches.every((branch) => branch.whole) && whole.length <= MAX_WHOLE) return knownWhole(whole);
  const needed = branches.map((branch) => best(candidates(branch)));
  const inside = [...new Set(needed.every(isUseful) ? needed.flat() : [])];
  return { inside: inside.length <= MAX_LITERALS ? inside : [] };
}

function knownOfRepeat(part: Known, min: number, max: number): Known {
  if (max === 1) return min === 1 ? part : part.whole ? knownWhole(['', ...part.whole]) : { inside: [] };
  return { inside: min === 0 ? [] : best(candidates(part)) };
}

/** Of several valid lists, uses the one whose shortest text is longest, which matches least often. */
function best(lists: readonly (readonly string[])[]): readonly string[] {
  const shortest = (list: readonly string[]): number => Math.min(...list.map((text) => text.length));
  const [first = [], ...rest] = lists.filter((list) => list.length > 0);
  return rest.reduce((longest, list) => (shortest(list) > shortest(longest) ? list : longest), first);
}

/** A text that contains another one of the list is redundant. */
const withoutLonger = (list: readonly string[]): readonly string[] => {
  const unique = [...new Set(list)];
  return unique.filter((text) => !unique.some((shorter) => shorter !== text && text.includes(shorter)));
};

const isUseful = (list: readonly string[]): boolean =>
  list.length > 0 && list.length <= MAX_LITERALS && list.every((text) => text.length >= MIN_LENGTH);

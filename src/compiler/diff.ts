import { eachBlock } from './lines/blocks.ts';
import { isAnnotation, skipBlanks, skipBlanksBack } from './lines/line-kind.ts';
import { compact, type Lines, lineText } from './lines/lines.ts';
import { readLines } from './lines/read-lines.ts';
import { createTable, createWorkspace } from './lines/workspace.ts';

export type ListDiff = {
  /** Distinct rules in file order. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
};

/** Rules that are in one list file and not in the other, regardless of position. */
export function diffLists(before: Uint8Array, after: Uint8Array): ListDiff {
  const { added, removed, unchanged } = compare(before, after);
  return { added: textsOf(added, Infinity), removed: textsOf(removed, Infinity), unchanged };
}

export type DiffSide = { readonly count: number; readonly examples: readonly string[] };

/** Counts the differences and returns the first of them, because the texts of two large lists need hundreds of megabytes. */
export function summarizeDiff(
  before: Uint8Array,
  after: Uint8Array,
  maxExamples: number,
): { readonly added: DiffSide; readonly removed: DiffSide } {
  const { added, removed } = compare(before, after);
  const summary = (side: Side): DiffSide => ({ count: countOf(side), examples: textsOf(side, maxExamples) });
  return { added: summary(added), removed: summary(removed) };
}

type Side = { readonly lines: Lines; readonly isWanted: (at: number) => boolean };

function compare(before: Uint8Array, after: Uint8Array) {
  const text = createWorkspace();
  const old = readLines(text, before, 0);
  const current = readLines(text, after, 0);
  keepRules(old);
  keepRules(current);

  createTable(text, old.count + current.count);
  const survives = new Uint8Array(old.count);
  const isOld = firsts(old, 0, () => {});
  let unchanged = 0;
  const isNew = firsts(current, old.count, (rule) => {
    if (rule >= old.count || survives[rule] === 1) return;
    survives[rule] = 1;
    unchanged++;
  });
  return {
    added: { lines: current, isWanted: (at: number) => isNew[at] === 1 },
    removed: { lines: old, isWanted: (at: number) => isOld[at] === 1 && survives[at] === 0 },
    unchanged,
  };
}

/** Drops comments and empty lines and trims rules. */
function keepRules(lines: Lines): void {
  const { bytes } = lines.text;
  for (let at = 0; at < lines.count; at++) {
    const start = skipBlanks(bytes, lines.start[at]!, lines.end[at]!);
    const end = skipBlanksBack(bytes, start, lines.end[at]!);
    lines.start[at] = start;
    lines.end[at] = end;
    if (isAnnotation(bytes, start, end) || isZoneAnnotation(bytes, start, end)) lines.dropped[at] = 1;
  }
  compact(lines);
}

const SEMICOLON = 0x3b;
const AT = 0x40;
const SPACE = 0x20;

/** In response policy zones, comments begin with `;`, and the serial changes with every write. */
const isZoneAnnotation = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === SEMICOLON || (end - start > 1 && bytes[start] === AT && bytes[start + 1] === SPACE);

/** Inserts rules with values from `from` on; marks new ones and reports the ones already in the table. */
function firsts(lines: Lines, from: number, onKnown: (rule: number) => void): Uint8Array {
  const isFirst = new Uint8Array(lines.count).fill(1);
  eachBlock(lines, ({ kernels, block }, first, count) => {
    kernels.hashLines(count);
    const duplicates = kernels.findOrAdd(count, from + first);
    for (const rule of block.picked.subarray(0, duplicates)) {
      isFirst[rule - from] = 0;
      onKnown(block.found[rule - from - first]!);
    }
  });
  return isFirst;
}

function textsOf({ lines, isWanted }: Side, max: number): string[] {
  const texts: string[] = [];
  for (let at = 0; at < lines.count && texts.length < max; at++) if (isWanted(at)) texts.push(lineText(lines, at));
  return texts;
}

function countOf({ lines, isWanted }: Side): number {
  let count = 0;
  for (let at = 0; at < lines.count; at++) if (isWanted(at)) count += 1;
  return count;
}

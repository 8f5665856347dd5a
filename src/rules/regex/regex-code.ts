import { NON_ASCII } from '../ascii-bytes.ts';
import {
  alphabetOf,
  type Before,
  conditionsOf,
  MATCH,
  OTHER,
  WORD,
  WORD_CHARACTERS,
  writeSteps,
} from './regex-program.ts';
import { createScratch, type Scratch, startRound } from './regex-runner.ts';
import type { RegexTree } from './regex-tree.ts';

/**
 * A compiled regular expression as 16-bit words, stored in a table: written once when the table is built, read-only for the
 * answering threads.
 *
 *   header        see `HEADER`
 *   symbols       symbol of each letter
 *   word symbols  whether the letters of a symbol are word characters
 *   next, other   next step; for a fork its second branch, otherwise the row of the condition
 *   kinds         kind of each step
 *   rows          conditions by the preceding character class and the next symbol
 */
export type RegexCode = Uint16Array;

const HEADER = { steps: 0, first: 1, end: 2, flags: 3, rows: 4 } as const;
const HEADER_WORDS = 5;
const SYMBOLS = NON_ASCII + 1;
const HAS_WORD_EDGES = 1;
const BEGINS_ANYWHERE = 2;

const CHARACTER = 0;
const FORK = 1;
const ASSERTION = 2;
const kindOf = { character: CHARACTER, fork: FORK, assertion: ASSERTION } as const;

export type Program = {
  readonly first: number;
  /** Symbol of the end of the name. */
  readonly end: number;
  readonly width: number;
  readonly hasWordEdges: boolean;
  /** Whether a match can start after the beginning of the name; if not, most names are decided early. */
  readonly beginsAnywhere: boolean;
  readonly symbolOf: Uint16Array;
  readonly isWord: Uint16Array;
  readonly next: Uint16Array;
  readonly other: Uint16Array;
  readonly kinds: Uint16Array;
  readonly rows: Uint16Array;
};

export function compileRegex(tree: RegexTree): RegexCode {
  const { steps, first } = writeSteps(tree);
  const alphabet = alphabetOf(steps);
  const { symbolOf, end } = alphabet;
  const conditions = conditionsOf(steps, alphabet);
  const rows = [...new Set(conditions)].filter((row) => row !== undefined);
  const rowOf = new Map(rows.map((row, nth) => [row, nth]));
  const hasWordEdges = steps.some((step) => step.kind === 'assertion' && step.where.endsWith('word edge'));
  const code = Uint16Array.from([
    steps.length,
    first,
    end,
    hasWordEdges ? HAS_WORD_EDGES : 0,
    rows.length,
    ...symbolOf,
    ...alphabet.symbolsIn(WORD_CHARACTERS),
    ...steps.map(({ next }) => next),
    ...steps.map((step, nth) => (step.kind === 'fork' ? step.other : rowOf.get(conditions[nth]!)!)),
    ...steps.map(({ kind }) => kindOf[kind]),
    ...rows.flatMap((row) => [...row]),
  ]);
  const program = openProgram(code);
  const scratch = createScratch();
  if (mayBegin(program, WORD, scratch) || mayBegin(program, OTHER, scratch)) code[HEADER.flags]! |= BEGINS_ANYWHERE;
  return code;
}

export function openProgram(code: RegexCode): Program {
  const steps = code[HEADER.steps]!;
  const end = code[HEADER.end]!;
  const flags = code[HEADER.flags]!;
  const width = end + 1;
  const wordsAt = HEADER_WORDS + SYMBOLS;
  const nextAt = wordsAt + width;
  const part = (nth: number): Uint16Array => code.subarray(nextAt + nth * steps, nextAt + (nth + 1) * steps);
  return {
    first: code[HEADER.first]!,
    end,
    width,
    hasWordEdges: (flags & HAS_WORD_EDGES) !== 0,
    beginsAnywhere: (flags & BEGINS_ANYWHERE) !== 0,
    symbolOf: code.subarray(HEADER_WORDS, wordsAt),
    isWord: code.subarray(wordsAt, nextAt),
    next: part(0),
    other: part(1),
    kinds: part(2),
    rows: code.subarray(nextAt + 3 * steps),
  };
}

/** Bounds check: code from a file may contain anything. */
export function isSoundCode(code: RegexCode): boolean {
  if (code.length < HEADER_WORDS + SYMBOLS) return false;
  const [steps, first, end, , rows] = [code[0]!, code[1]!, code[2]!, code[3]!, code[4]!];
  const width = end + 1;
  if (code.length !== HEADER_WORDS + SYMBOLS + width + 3 * steps + 3 * width * rows || first >= steps) return false;
  const program = openProgram(code);
  return (
    program.symbolOf.every((symbol) => symbol < end) &&
    program.next.every((step) => step < steps) &&
    program.kinds.every((kind, step) => program.other[step]! < (kind === FORK ? steps : rows))
  );
}

export const MATCHED = -2;

function mayBegin(program: Program, before: Before, scratch: Scratch): boolean {
  for (let symbol = 0; symbol <= program.end; symbol++)
    if (advance(program, scratch, scratch.spare, 0, columnOf(program, before, symbol)) !== 0) return true;
  return false;
}

/** Column of the condition rows. */
export const columnOf = ({ width }: Program, before: Before, symbol: number): number => before * width + symbol;

/** Fills `reached` with the steps after a symbol; returns their number, or that the name matches. */
export function advance(
  { first, width, next, other, kinds, rows }: Program,
  scratch: Scratch,
  standing: Uint16Array,
  count: number,
  column: number,
): number {
  startRound(scratch, next.length);
  const { waiting, reached, metIn, reachedIn, round } = scratch;
  const rowLength = 3 * width;
  let waitingCount = 1;
  let reachedCount = 0;
  // A match may start anywhere, so the first step is always included.
  metIn[first] = round;
  waiting[0] = first;
  let visited = 0;
  for (let index = 0; index < count; index++) {
    const step = standing[index]!;
    if (metIn[step] === round) continue;
    metIn[step] = round;
    // Most steps are characters, which need no further expansion.
    if (kinds[step] !== CHARACTER) waiting[waitingCount++] = step;
    else {
      visited += 1;
      if (rows[other[step]! * rowLength + column] !== 1) continue;
      const to = next[step]!;
      if (reachedIn[to] === round) continue;
      reachedIn[to] = round;
      reached[reachedCount++] = to;
    }
  }
  while (waitingCount > 0) {
    const step = waiting[--waitingCount]!;
    visited += 1;
    if (step === MATCH) {
      scratch.visited = 1;
      return MATCHED;
    }
    const kind = kinds[step]!;
    const to = next[step]!;
    if (kind !== FORK) {
      if (rows[other[step]! * rowLength + column] !== 1) continue;
      if (kind === CHARACTER) {
        if (reachedIn[to] === round) continue;
        reachedIn[to] = round;
        reached[reachedCount++] = to;
        continue;
      }
    } else {
      const second = other[step]!;
      if (metIn[second] !== round) {
        metIn[second] = round;
        waiting[waitingCount++] = second;
      }
    }
    if (metIn[to] !== round) {
      metIn[to] = round;
      waiting[waitingCount++] = to;
    }
  }
  scratch.visited = visited;
  return reachedCount;
}

import { NON_ASCII } from '../ascii-bytes.ts';
import { type CharacterSet, escapedSets, membership } from './character-set.ts';
import type { RegexTree } from './regex-tree.ts';

type Assertion = Extract<RegexTree, { kind: 'assertion' }>['where'];

/** The final step: the name matches. */
export const MATCH = 0;

/** One step of the program, with the number of the next step. */
export type Step =
  | { readonly kind: 'character'; readonly of: CharacterSet; readonly next: number }
  | { readonly kind: 'assertion'; readonly where: Assertion; readonly next: number }
  | { readonly kind: 'fork'; next: number; readonly other: number };

/** Compiles an expression to steps. Written from the end, so that the next step is always known. */
export function writeSteps(tree: RegexTree): { readonly steps: readonly Step[]; readonly first: number } {
  const steps: Step[] = [{ kind: 'fork', next: MATCH, other: MATCH }];
  return { steps, first: write(tree, MATCH) };

  function write(part: RegexTree, next: number): number {
    switch (part.kind) {
      case 'character':
      case 'assertion':
        return steps.push({ ...part, next }) - 1;
      case 'sequence':
        return part.parts.reduceRight((behind, member) => write(member, behind), next);
      case 'choice':
        return part.branches.map((branch) => write(branch, next)).reduceRight((other, branch) => fork(branch, other));
      case 'repeat':
        return writeRepeat(part, next);
    }
  }

  function writeRepeat({ part, min, max }: Extract<RegexTree, { kind: 'repeat' }>, next: number): number {
    let first = next;
    if (max === Infinity) first = writeLoop(part, next);
    else for (let optional = min; optional < max; optional++) first = fork(write(part, first), next);
    for (let needed = 0; needed < min; needed++) first = write(part, first);
    return first;
  }

  function writeLoop(part: RegexTree, next: number): number {
    const loop = { kind: 'fork' as const, next, other: next };
    const first = steps.push(loop) - 1;
    loop.next = write(part, first);
    return first;
  }

  function fork(next: number, other: number): number {
    return steps.push({ kind: 'fork', next, other }) - 1;
  }
}

/** Equivalence classes of characters that no step distinguishes; the last symbol is the end of the name. */
export type Alphabet = {
  /** Indexed by ASCII code; 128 stands for all non-ASCII characters. */
  readonly symbolOf: Uint8Array;
  readonly end: number;
  /** Membership of each symbol in a set, 1 or 0. */
  readonly symbolsIn: (set: CharacterSet) => Uint8Array;
};
export const WORD_CHARACTERS: CharacterSet = escapedSets.get('w')!;

export function alphabetOf(steps: readonly Step[]): Alphabet {
  const sets = new Set([WORD_CHARACTERS, ...steps.flatMap((step) => (step.kind === 'character' ? [step.of] : []))]);
  const members = Array.from(sets, membership);
  const symbols = new Map<string, number>();
  // One sample per equivalence class.
  const samples: number[] = [];
  const symbolOf = Uint8Array.from({ length: NON_ASCII + 1 }, (_, code) => {
    const kind = code === NON_ASCII ? 'foreign' : members.map((isMember) => isMember[code]).join('');
    const symbol = symbols.get(kind) ?? samples.push(code) - 1;
    symbols.set(kind, symbol);
    return symbol;
  });
  const symbolsIn = (set: CharacterSet): Uint8Array => {
    const isMember = membership(set);
    return Uint8Array.from([...samples.map((code) => isMember[code] ?? 0), 0]);
  };
  return { symbolOf, end: samples.length, symbolsIn };
}

/** Class of the character before the current position. */
export type Before = typeof NOTHING | typeof WORD | typeof OTHER;
export const NOTHING = 0;
export const WORD = 1;
export const OTHER = 2;

/** For each step whether it passes, by the preceding character class and the next symbol; undefined for forks. */
export function conditionsOf(
  steps: readonly Step[],
  { end, symbolsIn }: Alphabet,
): readonly (Uint8Array | undefined)[] {
  const isWord = symbolsIn(WORD_CHARACTERS);
  const assertionHolds: Readonly<Record<Assertion, (before: number, symbol: number) => boolean>> = {
    start: (before) => before === NOTHING,
    end: (_, symbol) => symbol === end,
    'word edge': (before, symbol) => (before === WORD) !== (isWord[symbol] === 1),
    'no word edge': (before, symbol) => (before === WORD) === (isWord[symbol] === 1),
  };
  const width = end + 1;
  const assertionRow = (where: Assertion): Uint8Array =>
    Uint8Array.from({ length: 3 * width }, (_, at) =>
      Number(assertionHolds[where](Math.floor(at / width), at % width)),
    );
  const characterRow = (set: CharacterSet): Uint8Array => {
    const row = [...symbolsIn(set)];
    return Uint8Array.from([...row, ...row, ...row]);
  };
  const rows = new Map<CharacterSet | Assertion, Uint8Array>();
  return steps.map((step) => {
    if (step.kind === 'fork') return undefined;
    const condition = step.kind === 'assertion' ? step.where : step.of;
    const row = rows.get(condition) ?? (step.kind === 'assertion' ? assertionRow(step.where) : characterRow(step.of));
    rows.set(condition, row);
    return row;
  });
}

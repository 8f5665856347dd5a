import { type Lines, lineText } from './lines/lines.ts';
import type { TransformationName } from './pipeline.ts';
import type { Drop, Reason } from './transformations/transformation.ts';

export type Step = TransformationName | 'exclusions' | 'inclusions';

/** A rule that did not make it into the list, and why, in words. */
export type DroppedRule = {
  readonly rule: string;
  /** As the configuration names it, and the line there. */
  readonly source: string;
  readonly line: number;
  readonly step: Step;
  readonly reason: string;
};

/** How many rules of one source were dropped because another source has them. */
export type Overlap = { readonly source: number; readonly of: number; readonly rules: number };

/** What a compilation remembers of the lines it drops. */
export type Journal = {
  /** How to drop lines in one step; `wholeList` when lines of several sources meet there. */
  during(step: Step, lines: Lines, wholeList: boolean): Drop;
  dropped(): readonly DroppedRule[];
  /** Some of what was dropped since this was last asked. */
  told(): readonly DroppedRule[];
  overlaps(): readonly Overlap[];
};

type Wishes = { readonly explain?: boolean | undefined; readonly tellDropped?: number | undefined };

export function createJournal(sources: readonly string[], { explain = false, tellDropped = 0 }: Wishes = {}): Journal {
  const dropped: DroppedRule[] = [];
  let told: DroppedRule[] = [];
  const overlaps = createTally();
  const place = (lines: Lines, at: number): string =>
    `line ${lines.number[at]} of ${sources[lines.source[at]!] ?? 'the list'}`;

  const during = (step: Step, lines: Lines, wholeList: boolean): Drop => {
    const mark = (at: number): void => {
      lines.dropped[at] = 1;
    };
    const countOverlap = (at: number, other: number): void => {
      const from = lines.source[at]!;
      const to = lines.source[other]!;
      if (from !== to) overlaps.add(from * sources.length + to);
    };
    const record = (at: number, reason: Reason, other?: number, detail?: string): void => {
      // Lines that we wrote ourselves, as the headers of sources, are nobody's loss.
      if (lines.number[at] === 0) return;
      const rule: DroppedRule = {
        rule: lineText(lines, at),
        source: sources[lines.source[at]!] ?? '',
        line: lines.number[at]!,
        step,
        reason: inWords[reason](
          other === undefined ? '' : `"${lineText(lines, other)}", ${place(lines, other)}`,
          detail ?? '',
        ),
      };
      if (explain) dropped.push(rule);
      if (told.length < tellDropped) told.push(rule);
    };
    // Hundreds of thousands of lines may go: each pays only for what was asked.
    if (!explain && tellDropped === 0 && !wholeList) return mark;
    return (at, reason, other, detail) => {
      mark(at);
      if (wholeList && other !== undefined && reason !== 'covered by a parent') countOverlap(at, other);
      if (explain || told.length < tellDropped) record(at, reason, other, detail);
    };
  };

  return {
    during,
    dropped: () => dropped,
    told: () => {
      const some = told;
      told = [];
      return some;
    },
    overlaps: () =>
      overlaps.all().map(([pair, rules]) => ({
        source: Math.floor(pair / sources.length),
        of: pair % sources.length,
        rules,
      })),
  };
}

/** Counts keys that mostly come in runs of the same. */
function createTally() {
  const counts = new Map<number, number>();
  let key = -1;
  let run = 0;
  const settle = (): void => void (run > 0 && counts.set(key, (counts.get(key) ?? 0) + run));
  return {
    add(next: number): void {
      if (next === key) {
        run++;
        return;
      }
      settle();
      key = next;
      run = 1;
    },
    all(): readonly (readonly [number, number])[] {
      settle();
      run = 0;
      return [...counts];
    },
  };
}

const inWords: Readonly<Record<Reason, (other: string, detail: string) => string>> = {
  comment: () => 'it is a comment',
  empty: () => 'it is an empty line',
  invalid: (_, detail) => detail,
  'belongs to a dropped rule': () => 'it stands above a rule that was dropped',
  duplicate: (other) => `the same rule stands again further down: ${other}`,
  'same name': (other) => `the same name is blocked already by ${other}`,
  'covered by a parent': (other) => `a parent domain is blocked by ${other}`,
  excluded: (_, detail) => `the exclusion "${detail}" matches it`,
  'not included': () => 'no inclusion matches it',
};

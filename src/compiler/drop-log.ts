import { type Lines, lineText } from './lines/lines.ts';
import type { TransformationName } from './pipeline.ts';
import type { Drop, Reason } from './transformations/transformation.ts';

export type Step = TransformationName | 'exclusions' | 'inclusions';

/** A dropped rule with its reason. */
export type DroppedRule = {
  readonly rule: string;
  /** Source as named in the configuration, and the line number. */
  readonly source: string;
  readonly line: number;
  readonly step: Step;
  readonly reason: string;
};

/** Rules of one source dropped as duplicates of another source. */
export type Overlap = { readonly source: number; readonly of: number; readonly rules: number };

/** Records the dropped lines of a compilation. */
export type DropLog = {
  /** Drop function for one step; `wholeList` if the step sees lines of several sources. */
  during(step: Step, lines: Lines, wholeList: boolean): Drop;
  dropped(): readonly DroppedRule[];
  /** Up to a limit, the lines dropped since the last call. */
  takeRecent(): readonly DroppedRule[];
  overlaps(): readonly Overlap[];
};

type DropLogOptions = { readonly explain?: boolean | undefined; readonly reportDropped?: number | undefined };

export function createDropLog(
  sources: readonly string[],
  { explain = false, reportDropped = 0 }: DropLogOptions = {},
): DropLog {
  const dropped: DroppedRule[] = [];
  let recent: DroppedRule[] = [];
  const overlaps = createOverlapCounts();
  const lineName = (lines: Lines, at: number): string =>
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
      // Generated lines such as source headers are not reported.
      if (lines.number[at] === 0) return;
      const rule: DroppedRule = {
        rule: lineText(lines, at),
        source: sources[lines.source[at]!] ?? '',
        line: lines.number[at]!,
        step,
        reason: inWords[reason](
          other === undefined ? '' : `"${lineText(lines, other)}", ${lineName(lines, other)}`,
          detail ?? '',
        ),
      };
      if (explain) dropped.push(rule);
      if (recent.length < reportDropped) recent.push(rule);
    };
    // Hundreds of thousands of lines may be dropped; record only the requested details.
    if (!explain && reportDropped === 0 && !wholeList) return mark;
    return (at, reason, other, detail) => {
      mark(at);
      if (wholeList && other !== undefined && reason !== 'covered by a parent') countOverlap(at, other);
      if (explain || recent.length < reportDropped) record(at, reason, other, detail);
    };
  };

  return {
    during,
    dropped: () => dropped,
    takeRecent: () => {
      const some = recent;
      recent = [];
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

/** Counter optimised for runs of equal keys. */
function createOverlapCounts() {
  const counts = new Map<number, number>();
  let key = -1;
  let run = 0;
  const endRun = (): void => void (run > 0 && counts.set(key, (counts.get(key) ?? 0) + run));
  return {
    add(next: number): void {
      if (next === key) {
        run++;
        return;
      }
      endRun();
      key = next;
      run = 1;
    },
    all(): readonly (readonly [number, number])[] {
      endRun();
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

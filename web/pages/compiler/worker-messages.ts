import type { Configuration, Format } from './configuration.ts';

// What the page and its thread say to each other. The list itself stays in the thread: it may have millions of lines.

export type Order = { readonly configuration: Configuration; readonly format: Format };

/** One list of lines that can be looked at. */
export type ShownLines = 'list' | 'found' | 'added' | 'removed';

export type Question =
  | { readonly kind: 'lines'; readonly of: ShownLines; readonly from: number; readonly to: number }
  | { readonly kind: 'find'; readonly text: string }
  | { readonly kind: 'file' };

export type ToWorker =
  | { readonly kind: 'compile'; readonly order: Order }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question };

export type DroppedRule = {
  readonly rule: string;
  readonly source: string;
  readonly line: number;
  /** The transformation, or the format that cannot say it. */
  readonly step: string;
  readonly reason: string;
};

export type Summary = {
  readonly lines: number;
  readonly rules: number;
  readonly bytes: number;
  readonly durationMs: number;
  readonly linesRead: number;
  readonly dropped: readonly DroppedRule[];
  /** Against the version before; undefined when there is none. */
  readonly difference:
    | { readonly added: number; readonly removed: number; readonly before: string | undefined }
    | undefined;
};

export type CompileProblem =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'slowDown'; readonly seconds: number }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly details: readonly { readonly path: string; readonly message: string }[];
    };

export type FromWorker =
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  | { readonly kind: 'finished'; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly problem: CompileProblem }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

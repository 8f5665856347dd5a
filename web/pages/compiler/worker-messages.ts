import type { Configuration, Format } from './configuration.ts';

// Messages between the page and its worker. The list stays in the worker: it may have millions of lines.

export type CompileJob = { readonly configuration: Configuration; readonly format: Format };

/** Set of lines that can be displayed. */
export type LineSet = 'list' | 'found' | 'added' | 'removed';

export type WorkerQuery =
  | { readonly kind: 'lines'; readonly of: LineSet; readonly from: number; readonly to: number }
  | { readonly kind: 'find'; readonly text: string }
  | { readonly kind: 'file' };

export type ToWorker =
  | { readonly kind: 'compile'; readonly job: CompileJob }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'query'; readonly id: number; readonly query: WorkerQuery };

export type DroppedRule = {
  readonly rule: string;
  readonly source: string;
  readonly line: number;
  /** Transformation that dropped the rule, or the format that cannot express it. */
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
  /** Compared to the previous version; undefined if there is none. */
  readonly difference:
    | { readonly added: number; readonly removed: number; readonly before: string | undefined }
    | undefined;
};

export type CompileError =
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
  | { readonly kind: 'failed'; readonly problem: CompileError }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

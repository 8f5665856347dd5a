import type { CompiledList } from './compiled-list.ts';
import type { Source } from './configuration.ts';
import type { DroppedRule, Step } from './drop-log.ts';
import type { Format } from './lines/rule-kinds.ts';
import type { SourceError } from './sources/source-error.ts';

/** Progress events of a compilation. `index` is the zero-based source index. */
export type CompileEvent =
  | { readonly kind: 'source started'; readonly index: number; readonly source: Source; readonly total: number }
  | {
      readonly kind: 'source progress';
      readonly index: number;
      readonly receivedBytes: number;
      readonly totalBytes?: number;
    }
  | { readonly kind: 'source retried'; readonly index: number; readonly reason: string; readonly waitMs: number }
  | {
      readonly kind: 'source finished';
      readonly index: number;
      readonly bytes: number;
      readonly lines: number;
      readonly format: Format;
    }
  /** The source's own steps are done; `lines` of it enter the list. */
  | { readonly kind: 'source compiled'; readonly index: number; readonly lines: number }
  /** With skipping enabled the compilation continues after a failed source; otherwise it ends. */
  | { readonly kind: 'source failed'; readonly index: number; readonly error: SourceError; readonly skipped: boolean }
  | { readonly kind: 'step started'; readonly step: Step; readonly index: number | undefined; readonly before: number }
  | {
      readonly kind: 'step finished';
      readonly step: Step;
      readonly index: number | undefined;
      readonly before: number;
      readonly after: number;
      /** Up to `reportDropped` of the dropped rules. */
      readonly dropped: readonly DroppedRule[];
    }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'finished'; readonly list: CompiledList };

import type { CompiledList } from './compiled-list.ts';
import type { Source } from './configuration.ts';
import type { DroppedRule, Step } from './journal.ts';
import type { Format } from './lines/rule-kinds.ts';
import type { SourceError } from './sources/source-error.ts';

/** What happens in a compilation, as it happens. `index` counts the sources from 0. */
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
  /** The source's own steps are done: so many lines of it go into the list. */
  | { readonly kind: 'source compiled'; readonly index: number; readonly lines: number }
  /** A failed source that is skipped leaves the compilation going; any other failure ends it. */
  | { readonly kind: 'source failed'; readonly index: number; readonly error: SourceError; readonly skipped: boolean }
  | { readonly kind: 'step started'; readonly step: Step; readonly index: number | undefined; readonly before: number }
  | {
      readonly kind: 'step finished';
      readonly step: Step;
      readonly index: number | undefined;
      readonly before: number;
      readonly after: number;
      /** Some of the rules that it dropped, as many as `tellDropped` asks for. */
      readonly dropped: readonly DroppedRule[];
    }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'finished'; readonly list: CompiledList };

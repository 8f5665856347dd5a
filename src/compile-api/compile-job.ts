import type { Configuration, DroppedRule, FormatName, UnsupportedRule } from '../compiler/index.ts';
import type { Metrics, WireEvent } from './wire-events.ts';

/** What a version of a source was called by its server: a list is unchanged while all of these are. */
export type Validators = readonly (readonly [url: string, validator: string])[];

/** One compilation as it is ordered: all that decides its result. */
export type Order = {
  readonly configuration: Configuration;
  readonly preFetchedContent?: Readonly<Record<string, string>> | undefined;
  readonly format: FormatName;
  readonly explain: boolean;
  /** Whether the result will be kept, and so is wanted compressed, too. */
  readonly keep: boolean;
  /** With these the result is as it was, and need not be made again. */
  readonly unchangedIf?: Validators | undefined;
};

export type Refusal = {
  readonly status: number;
  readonly error: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
};

export type Compiled = {
  readonly kind: 'compiled';
  /** As it is, or, when it is large and kept, as a piece of JSON: whoever wants the text has it compressed. */
  readonly list: { readonly plain: Uint8Array } | { readonly json: Uint8Array };
  readonly listBytes: number;
  readonly gzipped: Uint8Array | undefined;
  readonly contentId: string;
  readonly compiledAt: string;
  readonly ruleCount: number;
  readonly metrics: Metrics;
  readonly dropped: readonly DroppedRule[] | undefined;
  readonly unsupported: readonly (Omit<UnsupportedRule, 'source'> & { readonly source: string })[] | undefined;
  readonly validators: Validators | undefined;
};

export type Outcome = Compiled | { readonly kind: 'unchanged' } | ({ readonly kind: 'failed' } & Refusal);

/** Does the work somewhere where it is in nobody's way. */
export type RunOrder = (
  order: Order,
  options: { readonly client: string; readonly signal: AbortSignal; readonly onEvent: (event: WireEvent) => void },
) => Promise<Outcome>;

import type { Configuration, DroppedRule, FormatName, UnsupportedRule } from '../compiler/index.ts';
import type { Gathered } from '../compiler/sources/gather-sources.ts';
import type { Begun, Metrics, WireEvent } from './wire-events.ts';

/** Validators of the sources. A list is unchanged if none of them has changed. */
export type Validators = readonly (readonly [url: string, validator: string])[];

export const onSourceErrors = ['fail', 'skip', 'stale'] as const;

/** One compilation: everything that determines its result. */
export type CompileJob = {
  readonly configuration: Configuration;
  readonly preFetchedContent?: Readonly<Record<string, string>> | undefined;
  readonly format: FormatName;
  readonly explain: boolean;
  /** If a source cannot be read: fail the compilation, leave the source out, or use its earlier copy. */
  readonly onSourceError: (typeof onSourceErrors)[number];
  /** Whether the result will be stored, and is therefore compressed. */
  readonly storesResult: boolean;
  /** If these are still valid, the result is unchanged and is not compiled again. */
  readonly unchangedIf?: Validators | undefined;
};

export type ErrorResponse = {
  readonly status: number;
  readonly error: string;
  /** Set if the configuration is invalid; event streams report it as an event. */
  readonly about?: 'configuration';
  readonly details?: readonly { readonly path: string; readonly message: string }[];
};

export type Compiled = {
  readonly kind: 'compiled';
  /** The list, or if it is large and stored, the content of a JSON array; the text is then available compressed. */
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
  /** Sources that are left out or replaced by an earlier copy. Such a list is not stored. */
  readonly missing: readonly string[];
};

export type Outcome = Compiled | { readonly kind: 'unchanged' } | ({ readonly kind: 'failed' } & ErrorResponse);

/** Runs the job in a worker. */
export type RunCompileJob = (
  job: CompileJob,
  options: { readonly client: string; readonly signal: AbortSignal; readonly onEvent: (event: WireEvent) => void },
) => Promise<Outcome>;

export const includeLimits = { maxDepth: 5, maxIncludes: 32 };

/** The texts of a job's sources, downloaded before it is compiled. */
export type GatheredSources = Begun & {
  readonly texts: Gathered;
  /** Validators of the sources that were read; undefined if one of them has none. */
  readonly validators: Validators | undefined;
};

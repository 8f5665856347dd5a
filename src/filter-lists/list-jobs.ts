import type { Gathered } from '../compiler/sources/gather-sources.ts';
import type { WantedList } from './list-request.ts';
import type { Seen, Version } from './list-state.ts';
import type { Shrunk } from './sanity-check.ts';

/** Download settings of lists: the limits and address policy of the compile service. */
export type Downloading = {
  readonly sourcePorts: readonly number[];
  readonly allowNetworks: readonly string[];
  readonly allowHosts: readonly string[];
  readonly maxSourceBytes: number;
  readonly maxCompilationBytes: number;
  /** Maximum rules of a custom list, whose table every answering thread maps. */
  readonly maxAccountRules?: number | undefined;
  /** Overrides of the default timeout and retries. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

/** Settings shared by all jobs of a thread. */
export type ListEnvironment = {
  readonly folder: string;
  readonly secret: Uint8Array;
  readonly downloading: Downloading;
};

export type CheckJob = {
  readonly kind: 'check';
  readonly list: WantedList;
  /** The active version. */
  readonly inUse: Pick<Version, 'name' | 'source' | 'rules'> | undefined;
  /** Validators of the active version; the list is read again unless all of them are still valid. */
  readonly seen: readonly Seen[] | undefined;
  readonly shrunk: Shrunk | undefined;
  readonly isAccepted: boolean;
  /** Versions whose files must not be deleted. */
  readonly keep: readonly string[];
  readonly ownPorts: readonly number[];
  readonly now: number;
};

/** Loads a version from its files. */
export type LoadJob = {
  readonly kind: 'load';
  readonly id: string;
  readonly namedBy: WantedList['namedBy'];
  readonly version: Version;
};

/** Builds a table from the texts downloaded for a check. */
export type BuildJob = Omit<CheckJob, 'kind'> & { readonly kind: 'build'; readonly read: ListTexts | CompiledText };

export type ListTexts = {
  /** The source as passed to the compiler. */
  readonly source: string;
  readonly texts: Gathered;
  readonly seen: readonly Seen[] | undefined;
};

/** The text of a version that another node has compiled. */
type CompiledText = { readonly compiled: Uint8Array; readonly seen: readonly Seen[] | undefined };

export type ListJob = BuildJob | LoadJob;

/** Outcome of the download: texts, or the outcome of the whole check. */
export type ListRead =
  | { readonly kind: 'read'; readonly read: ListTexts }
  | { readonly kind: 'checked'; readonly checked: Extract<Checked, { kind: 'unchanged' | 'failed' }> };

export type Checked =
  | { readonly kind: 'unchanged'; readonly seen: readonly Seen[] | undefined }
  | {
      readonly kind: 'new';
      readonly version: Version;
      readonly buffer: SharedArrayBuffer;
      readonly seen: readonly Seen[] | undefined;
    }
  | { readonly kind: 'not used'; readonly why: string; readonly shrunk: Shrunk | undefined }
  | {
      readonly kind: 'failed';
      /** Shown to users of the list, so it must not contain internal details. */
      readonly why: string;
      /** For the operator's log. */
      readonly details?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      /** The source was too slow: the interval until the next check grows faster. */
      readonly isSlow?: boolean | undefined;
    };

export type LoadedVersion =
  /**
   * `remade`: the saved table was damaged or belongs to another program version or secret, and was rebuilt from the
   * text.
   */
  | {
      readonly kind: 'loaded' | 'remade';
      readonly version: Version;
      readonly buffer: SharedArrayBuffer;
      readonly why?: string | undefined;
    }
  | { readonly kind: 'lost'; readonly why: string };

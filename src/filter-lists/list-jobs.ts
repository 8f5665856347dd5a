import type { Gathered } from '../compiler/sources/gather-sources.ts';
import type { WantedList } from './list-request.ts';
import type { Seen, Version } from './list-state.ts';
import type { Shrunk } from './sanity-check.ts';

/** How lists are downloaded: the same limits and the same walls as for the compile service. */
export type Downloading = {
  readonly sourcePorts: readonly number[];
  readonly allowNetworks: readonly string[];
  readonly allowHosts: readonly string[];
  readonly maxSourceBytes: number;
  readonly maxCompilationBytes: number;
  /** Of a list that an account has brought: its table is in everybody's memory. */
  readonly maxAccountRules?: number | undefined;
  /** How long a server is waited for and how many times it is asked, when not as usual. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

/** What is the same for all jobs of a thread. */
export type ListSurroundings = {
  readonly folder: string;
  readonly secret: Uint8Array;
  readonly downloading: Downloading;
};

export type CheckJob = {
  readonly kind: 'check';
  readonly list: WantedList;
  /** What may be kept when its source has nothing better. */
  readonly inUse: Pick<Version, 'name' | 'source' | 'rules'> | undefined;
  /** Unless all that is known to have been read is unchanged, the list is read anew. */
  readonly seen: readonly Seen[] | undefined;
  readonly shrunk: Shrunk | undefined;
  readonly isAccepted: boolean;
  /** Versions whose files are still needed. */
  readonly keep: readonly string[];
  readonly ownPorts: readonly number[];
  readonly now: number;
};

/** Reads a version from its files. */
export type LoadJob = {
  readonly kind: 'load';
  readonly id: string;
  readonly namedBy: WantedList['namedBy'];
  readonly version: Version;
};

/** Makes a table of what was downloaded for a check. */
export type BuildJob = Omit<CheckJob, 'kind'> & { readonly kind: 'build'; readonly read: ListTexts };

export type ListTexts = {
  /** The source as the compiler is given it. */
  readonly source: string;
  readonly texts: Gathered;
  readonly seen: readonly Seen[] | undefined;
};

export type ListJob = BuildJob | LoadJob;

/** How the download of a check ended: with texts, or with the outcome of the whole check. */
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
      /** For whoever uses the list, who may be anybody. */
      readonly why: string;
      /** For the operator. */
      readonly details?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      /** The source took too long: the wait until the next check grows faster. */
      readonly isSlow?: boolean | undefined;
    };

export type LoadedVersion =
  /** `remade`: the saved table was damaged, of another program or another secret, and was made again from the text. */
  | {
      readonly kind: 'loaded' | 'remade';
      readonly version: Version;
      readonly buffer: SharedArrayBuffer;
      readonly why?: string | undefined;
    }
  | { readonly kind: 'lost'; readonly why: string };

import type { CompileJob, GatheredSources, Outcome } from '../compile-job.ts';
import type { ToolJob, ToolOutcome } from '../tools.ts';
import type { WireEvent } from '../wire-events.ts';

/** Jobs of the compile workers. */
export type WorkerJob =
  /** `gathered`: the texts of its sources, unless all were sent with the job. */
  | { readonly kind: 'compile'; readonly job: CompileJob; readonly gathered: GatheredSources | undefined }
  | { readonly kind: 'tool'; readonly tool: ToolJob };

/** Downloads the sources of a job; one thread serves all jobs. */
export type DownloadJob = { readonly job: CompileJob; readonly ownPorts: readonly number[] };

export type DownloadMessage =
  | WorkerMessage
  /** Bytes of text held for the job. */
  | { readonly kind: 'text'; readonly bytes: number };

export type WorkerMessage =
  | { readonly kind: 'event'; readonly event: WireEvent }
  /** For the operator's log. */
  | { readonly kind: 'problem'; readonly problem: string };

export type WorkerOutcome =
  | { readonly kind: 'compile'; readonly outcome: Outcome }
  | { readonly kind: 'tool'; readonly outcome: ToolOutcome };

/** Settings shared by all jobs of a thread. */
export type WorkerEnvironment = {
  readonly sourcePorts: readonly number[];
  readonly allowNetworks: readonly string[];
  readonly allowHosts: readonly string[];
  readonly sourceRoot: string | undefined;
  readonly maxSourceBytes: number;
  readonly maxCompilationBytes: number;
  readonly copiesFolder: string;
  readonly maxCopiesBytes: number;
};

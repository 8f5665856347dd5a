import type { Order, Outcome } from '../compile-job.ts';
import type { GatheredOrder } from '../gathered-job.ts';
import type { ToolJob, ToolOutcome } from '../tools.ts';
import type { WireEvent } from '../wire-events.ts';

/** What the threads of the compile service are asked, and what they say. */
export type CompileJob =
  /** `gathered`: the texts of its sources, unless all of them came with the order. */
  | { readonly kind: 'order'; readonly order: Order; readonly gathered: GatheredOrder | undefined }
  | { readonly kind: 'tool'; readonly tool: ToolJob };

/** Downloads the sources of an order; one thread does that for all orders. */
export type GatherJob = { readonly order: Order; readonly ownPorts: readonly number[] };

export type GatherMessage =
  | CompileMessage
  /** So many bytes of text are held for the order. */
  | { readonly kind: 'text'; readonly bytes: number };

export type CompileMessage =
  | { readonly kind: 'event'; readonly event: WireEvent }
  /** For the operator's eyes. */
  | { readonly kind: 'problem'; readonly problem: string };

export type CompileOutcome =
  | { readonly kind: 'order'; readonly outcome: Outcome }
  | { readonly kind: 'tool'; readonly outcome: ToolOutcome };

/** What is the same for all jobs of a thread. */
export type CompileSurroundings = {
  readonly sourcePorts: readonly number[];
  readonly allowNetworks: readonly string[];
  readonly allowHosts: readonly string[];
  readonly sourceRoot: string | undefined;
  readonly maxSourceBytes: number;
  readonly maxCompilationBytes: number;
  readonly copiesFolder: string;
  readonly maxCopiesBytes: number;
};

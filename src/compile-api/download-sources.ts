import type { ReadSource } from '../compiler/index.ts';
import { sourceNames } from '../compiler/sources/cached-read.ts';
import { gatherSources } from '../compiler/sources/gather-sources.ts';
import type { CompileJob, Outcome, Validators } from './compile-job.ts';
import { type GatheredSources, includeLimits } from './compile-job.ts';
import { errorResponseOf } from './run-job.ts';
import { mapEvents, type WireEvent } from './wire-events.ts';

export type Reading = {
  readonly read: ReadSource;
  /** Validators of the sources that were read; undefined if one of them has none. */
  readonly validators: () => Validators | undefined;
  readonly isUnchanged: (validators: Validators) => Promise<boolean>;
};

type Environment = Reading & {
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onEvent: (event: WireEvent) => void;
  readonly onProblem: (problem: unknown) => void;
};

export type DownloadOutcome =
  | { readonly kind: 'gathered'; readonly gathered: GatheredSources }
  /** There is nothing to compile: no source has changed, or one has failed. */
  | { readonly kind: 'settled'; readonly outcome: Exclude<Outcome, { kind: 'compiled' }> };

const PROGRESS_EVERY_MS = 200;

/** Downloads the sources of a job. */
export async function downloadForJob(job: CompileJob, environment: Environment): Promise<DownloadOutcome> {
  const { now, onEvent, isUnchanged, read, validators, signal } = environment;
  const startedAt = now();
  const mapper = mapEvents(job.configuration, now);
  const sourcesStartedAt: number[] = [];
  const progressAt = new Map<number, number>();
  try {
    if (job.unchangedIf && (await isUnchanged(job.unchangedIf)))
      return { kind: 'settled', outcome: { kind: 'unchanged' } };
    const texts = await gatherSources(job.configuration, {
      read,
      signal,
      includeLimits,
      onSourceError: job.onSourceError === 'skip' ? 'skip' : 'fail',
      onEvent: (event) => {
        if (event.kind === 'source started') sourcesStartedAt[event.index] = now();
        if (event.kind === 'source progress') {
          if (now() - (progressAt.get(event.index) ?? 0) < PROGRESS_EVERY_MS) return;
          progressAt.set(event.index, now());
        }
        for (const mapped of mapper.map(event)) onEvent(mapped);
      },
    });
    return { kind: 'gathered', gathered: { startedAt, sourcesStartedAt, texts, validators: validators() } };
  } catch (error) {
    const errorResponse = errorResponseOf(error, environment, job.configuration);
    for (const event of mapper.failed(errorResponse.error)) onEvent(event);
    return { kind: 'settled', outcome: { kind: 'failed', ...errorResponse } };
  }
}

/** Whether all texts were sent with the job, so that nothing is downloaded; false in doubt. */
export function isLocal({ configuration, preFetchedContent = {} }: CompileJob): boolean {
  const elsewhere = sourceNames(configuration).filter((name) => !Object.hasOwn(preFetchedContent, name));
  // URL parsing removes tabs and line breaks.
  const isUrl = (name: string): boolean => /^https?:/i.test(name.slice(0, 100).replace(/\s/g, ''));
  const texts = [...elsewhere, ...Object.values(preFetchedContent)];
  return !elsewhere.some(isUrl) && !texts.some((text) => text.includes('!#include'));
}

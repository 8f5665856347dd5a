import type { ReadSource } from '../compiler/index.ts';
import { gatherSources } from '../compiler/sources/gather-sources.ts';
import type { Order, Outcome, Validators } from './compile-job.ts';
import { type GatheredOrder, includeLimits } from './gathered-job.ts';
import { refusalOf } from './run-job.ts';
import { tellOnWire, type WireEvent } from './wire-events.ts';

export type Reading = {
  readonly read: ReadSource;
  /** Validators of the sources that were read; undefined if one of them has none. */
  readonly validators: () => Validators | undefined;
  readonly isUnchanged: (validators: Validators) => Promise<boolean>;
};

type Surroundings = Reading & {
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onEvent: (event: WireEvent) => void;
  readonly onProblem: (problem: unknown) => void;
};

export type GatherOutcome =
  | { readonly kind: 'gathered'; readonly gathered: GatheredOrder }
  /** Nothing is left to compile: unchanged, or a source failed. */
  | { readonly kind: 'settled'; readonly outcome: Exclude<Outcome, { kind: 'compiled' }> };

const PROGRESS_EVERY_MS = 200;

/** Downloads the sources of an order. */
export async function gatherOrder(order: Order, surroundings: Surroundings): Promise<GatherOutcome> {
  const { now, onEvent, isUnchanged, read, validators, signal } = surroundings;
  const startedAt = now();
  const telling = tellOnWire(order.configuration, now);
  const sourcesStartedAt: number[] = [];
  const progressAt = new Map<number, number>();
  try {
    if (order.unchangedIf && (await isUnchanged(order.unchangedIf)))
      return { kind: 'settled', outcome: { kind: 'unchanged' } };
    const texts = await gatherSources(order.configuration, {
      read,
      signal,
      includeLimits,
      onEvent: (event) => {
        if (event.kind === 'source started') sourcesStartedAt[event.index] = now();
        if (event.kind === 'source progress') {
          if (now() - (progressAt.get(event.index) ?? 0) < PROGRESS_EVERY_MS) return;
          progressAt.set(event.index, now());
        }
        for (const told of telling.tell(event)) onEvent(told);
      },
    });
    return { kind: 'gathered', gathered: { startedAt, sourcesStartedAt, texts, validators: validators() } };
  } catch (error) {
    const refusal = refusalOf(error, surroundings);
    for (const event of telling.failed(refusal.error)) onEvent(event);
    return { kind: 'settled', outcome: { kind: 'failed', ...refusal } };
  }
}

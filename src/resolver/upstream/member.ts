import { LATENCY_BUCKETS, type LatencyCounts, latencyBucket } from '../../kit/latency-buckets.ts';
import { afterAnswer, afterFailure, type Failure, type Health, unknownHealth } from './health.ts';
import type { Random } from './random.ts';
import type { Upstream } from './upstream.ts';
import type { FailureReason } from './upstream-answer.ts';

/** An upstream with its health and its counters. */
export type Member = {
  /** Number in the order of creation, from 0. */
  readonly number: number;
  readonly upstream: Upstream;
  readonly health: () => Health;
  readonly asked: () => void;
  readonly answered: (elapsedMs: number) => void;
  readonly failed: (failure: Failure & { readonly detail: string }) => void;
  /** Counts queries that a UDP thread has exchanged with this upstream. */
  readonly exchanged: (counts: ExchangedCounts) => void;
  readonly counters: () => MemberCounters;
};

type ExchangedCounts = {
  readonly asked: number;
  readonly answered: number;
  readonly latency: LatencyCounts;
  readonly mismatches: number;
};

export type MemberCounters = {
  readonly asked: number;
  readonly answered: number;
  readonly failed: Readonly<Partial<Record<FailureReason, number>>>;
  /** Latencies of the answers. */
  readonly latency: LatencyCounts;
};

export type UpstreamEvent =
  | { readonly kind: 'upstream out'; readonly upstream: string; readonly why: FailureReason; readonly detail: string }
  | { readonly kind: 'upstream back'; readonly upstream: string; readonly afterMs: number }
  /** A query of ours came back, so there is a forwarding loop. */
  | { readonly kind: 'loop'; readonly name: string };

export function createMember(
  number: number,
  upstream: Upstream,
  { now, random, log }: { now: () => number; random: Random; log: (event: UpstreamEvent) => void },
): Member {
  let health: Health = unknownHealth;
  let asked = 0;
  let answered = 0;
  let sumMs = 0;
  const buckets = new Float64Array(LATENCY_BUCKETS);
  const failed: Partial<Record<FailureReason, number>> = {};
  const { text } = upstream.address;

  return {
    number,
    upstream,
    health: () => health,
    asked: () => {
      asked++;
    },
    answered(elapsedMs) {
      answered++;
      sumMs += elapsedMs;
      buckets[latencyBucket(elapsedMs)]! += 1;
      const { out } = health;
      health = afterAnswer(health, elapsedMs);
      if (out) log({ kind: 'upstream back', upstream: text, afterMs: now() - out.since });
    },
    failed(failure) {
      failed[failure.why] = (failed[failure.why] ?? 0) + 1;
      const wasOut = health.out !== undefined;
      health = afterFailure(health, failure, now(), random.fraction());
      if (!wasOut && health.out)
        log({ kind: 'upstream out', upstream: text, why: failure.why, detail: failure.detail });
    },
    exchanged(counts) {
      asked += counts.asked;
      upstream.addMismatches(counts.mismatches);
      if (counts.answered === 0) return;
      answered += counts.answered;
      sumMs += counts.latency.sumMs;
      for (const [bucket, count] of counts.latency.buckets.entries()) buckets[bucket]! += count;
      // Late replies do not prove that an upstream works again.
      if (!health.out) health = afterAnswer(health, counts.latency.sumMs / counts.answered);
    },
    counters: () => ({ asked, answered, failed: { ...failed }, latency: { buckets: [...buckets], sumMs } }),
  };
}

import type { ExchangeCounters } from './exchange.ts';
import type { Member, MemberCounters } from './member.ts';
import type { FailureReason } from './upstream-answer.ts';

/** Status of an upstream, for metrics and for display. */
export type UpstreamStatus = MemberCounters &
  Readonly<ExchangeCounters> & {
    readonly upstream: string;
    /** Whether it is suspended and gets only trial queries. */
    readonly state: 'in' | 'out';
    readonly why?: FailureReason;
    /** Smoothed; absent before the first query. */
    readonly latencyMs?: number;
    /** Open sockets and connections. */
    readonly open: number;
  };

export type UpstreamsStatus = {
  readonly upstreams: readonly UpstreamStatus[];
  /** Queries in flight; equal ones are counted once. */
  readonly inFlight: number;
  /** Queries refused by the in-flight limit. */
  readonly refused: number;
  /** Queries that joined an equal one in flight. */
  readonly shared: number;
  /** Queries answered from the failure cache. */
  readonly recalled: number;
  /** Queries answered locally. */
  readonly local: number;
  /** Our own queries that came back: forwarding loops. */
  readonly loops: number;
};

export function statusOf(member: Member): UpstreamStatus {
  const { latencyMs, out } = member.health();
  return {
    upstream: member.upstream.address.text,
    state: out ? 'out' : 'in',
    ...(out && { why: out.why }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...member.counters(),
    ...member.upstream.counters(),
  };
}

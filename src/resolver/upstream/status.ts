import type { ExchangeFigures } from './exchange.ts';
import type { Member, MemberFigures } from './member.ts';
import type { FailureReason } from './upstream-answer.ts';

/** How an upstream is, for metrics and people. */
export type UpstreamStatus = MemberFigures &
  Readonly<ExchangeFigures> & {
    readonly upstream: string;
    /** Out: it is not asked, except to see whether it is back. */
    readonly state: 'in' | 'out';
    readonly why?: FailureReason;
    /** Smoothed; absent until it has been asked. */
    readonly latencyMs?: number;
    /** Sockets and connections that are open now. */
    readonly open: number;
  };

export type UpstreamsStatus = {
  readonly upstreams: readonly UpstreamStatus[];
  /** Questions under way, each counted once however many ask it. */
  readonly inFlight: number;
  /** Questions that found no place. */
  readonly refused: number;
  /** Questions that were joined to an equal one under way. */
  readonly shared: number;
  /** Questions answered from the memory of failures. */
  readonly recalled: number;
  /** Questions that are no upstream's business. */
  readonly local: number;
  /** Questions of ours that came back to us. */
  readonly circles: number;
};

export function statusOf(member: Member): UpstreamStatus {
  const { latencyMs, out } = member.health();
  return {
    upstream: member.upstream.address.text,
    state: out ? 'out' : 'in',
    ...(out && { why: out.why }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...member.figures(),
    ...member.upstream.figures(),
  };
}

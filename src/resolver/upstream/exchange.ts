import type { Message } from '../../dns/message.ts';
import type { Failed } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

/** One question put to one upstream over one transport. */
export type Exchange = (question: UpstreamQuestion, how: ExchangeOptions) => Promise<Exchanged>;

type ExchangeOptions = {
  readonly edns: boolean;
  /** Says when nobody waits any longer: the time is over, or another answered. */
  readonly signal: AbortSignal;
  /** What there is of connections has been silent; a new one may fare better. */
  readonly fresh: boolean;
};

export type Exchanged =
  | { readonly kind: 'answer'; readonly message: Message; readonly subnetScope?: number }
  /** There is more than a datagram holds. */
  | { readonly kind: 'truncated' }
  /** Too many packets came that were none of ours: somebody may be guessing. */
  | { readonly kind: 'suspicious' }
  | Failed;

/** What the exchanges of one upstream have met, for metrics. */
export type ExchangeFigures = {
  /** Packets that were no answer to a query in flight. */
  mismatches: number;
  malformed: number;
  /** Queries that went on over TCP. */
  movedToTcp: number;
  connections: number;
};

import type { ReadMessage } from './read-answer.ts';
import type { Failed } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

/** Sends one query to one upstream over one transport. */
export type Exchange = (question: UpstreamQuestion, how: ExchangeOptions) => Promise<Exchanged>;

type ExchangeOptions = {
  readonly edns: boolean;
  /** Aborted on timeout, or when another upstream has answered. */
  readonly signal: AbortSignal;
  /** Whether to use a new connection because the existing ones were silent. */
  readonly fresh: boolean;
};

export type Exchanged =
  | ReadMessage
  /** The answer does not fit into a datagram. */
  | { readonly kind: 'truncated' }
  /** Too many mismatched packets arrived: possibly a spoofing attempt. */
  | {
      readonly kind: 'suspicious';
      /** The only mismatch is the case of the name. */
      readonly isCaseLost?: boolean;
      /** The only mismatch is a missing or wrong cookie. */
      readonly isCookieLost?: boolean;
    }
  | Failed;

/** Counters of the exchanges of one upstream, for metrics. */
export type ExchangeCounters = {
  /** Packets that do not answer a query in flight. */
  mismatches: number;
  malformed: number;
  /** Queries that were repeated over TCP. */
  movedToTcp: number;
  connections: number;
};

import type { Message } from '../../dns/message.ts';
import { rcodes } from '../../dns/numbers.ts';

export type UpstreamAnswer = Answered | Failed;

export type Answered = {
  readonly kind: 'answer';
  /** Validated and scrubbed: id 0, the name in lower case, no OPT, only records that belong to the question. */
  readonly bytes: Uint8Array;
  /** The parsed message. */
  readonly message: Message;
  /** The upstream that answered; `local` if none did. */
  readonly upstream: string;
  readonly elapsedMs: number;
  /** Scope prefix length, if a client subnet was sent (RFC 7871). */
  readonly subnetScope?: number;
  /** Data of the upstream's extended DNS error (RFC 8914). */
  readonly extendedError?: Uint8Array;
};

export type Failed = {
  readonly kind: 'failed';
  readonly why: FailureReason;
  /** For logs. */
  readonly detail: string;
  /** The upstream requested a pause of this length. */
  readonly retryAfterMs?: number;
};

export type FailureReason =
  | 'timeout'
  | 'unreachable'
  /** The connection was closed before the answer. */
  | 'closed'
  | 'certificate'
  | 'malformed'
  /** It answered with an error RCODE, and another upstream had the answer. */
  | 'refused'
  /** A DoH server answered with a status other than 200. */
  | 'status'
  /** An in-flight limit is reached: no query was sent. */
  | 'busy'
  /** The upstream is this program. */
  | 'loop'
  /** The upstream's host name cannot be resolved. */
  | 'no address'
  | 'stopped';

export const failed = (why: FailureReason, detail: string): Failed => ({ kind: 'failed', why, detail });

/** An alias makes the name too long (RFC 6672, 2.2). */
const YXDOMAIN = 6;
/** RCODEs for which other upstreams would not have a better answer. */
export const usefulCodes: ReadonlySet<number> = new Set([rcodes.NOERROR, rcodes.NXDOMAIN, YXDOMAIN]);

/** Whether other upstreams would not have a better answer. */
export const isUseful = (answer: UpstreamAnswer): boolean =>
  answer.kind === 'answer' && usefulCodes.has(answer.message.rcode);

import type { Message } from '../../dns/message.ts';
import { rcodes } from '../../dns/numbers.ts';

export type UpstreamAnswer = Answered | Failed;

export type Answered = {
  readonly kind: 'answer';
  /** Checked and scrubbed: id 0, the name in lower case, no OPT, only what belongs to the question. */
  readonly bytes: Uint8Array;
  /** The same, taken apart. */
  readonly message: Message;
  /** Who gave it; `local` when nobody was asked. */
  readonly upstream: string;
  readonly elapsedMs: number;
  /** For how much of the client's network it holds, if the question told that network (RFC 7871). */
  readonly subnetScope?: number;
};

export type Failed = {
  readonly kind: 'failed';
  readonly why: FailureReason;
  /** For logs. */
  readonly detail: string;
  /** The upstream wishes to be left alone for so long. */
  readonly retryAfterMs?: number;
};

export type FailureReason =
  | 'timeout'
  | 'unreachable'
  /** The connection ended before the answer. */
  | 'closed'
  | 'certificate'
  | 'malformed'
  /** It answered with a code that helps nobody, where another knew the answer. */
  | 'refused'
  /** A DoH server answered with a status other than 200. */
  | 'status'
  /** A bound of ours is reached: nobody was asked. */
  | 'busy'
  /** The upstream is this program. */
  | 'loop'
  /** The upstream's name leads nowhere. */
  | 'no address'
  | 'stopped';

export const failed = (why: FailureReason, detail: string): Failed => ({ kind: 'failed', why, detail });

/** An alias would make the name too long (RFC 6672, 2.2). */
const YXDOMAIN = 6;
const useful: ReadonlySet<number> = new Set([rcodes.NOERROR, rcodes.NXDOMAIN, YXDOMAIN]);

/** Whether nobody else would know better. */
export const isUseful = (answer: UpstreamAnswer): boolean =>
  answer.kind === 'answer' && useful.has(answer.message.rcode);

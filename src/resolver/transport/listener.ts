import type { QueryContext } from '../pipeline/query-context.ts';
import type { Replied } from '../upstream/upstream-query.ts';

/** A DNS query with its transport metadata. Transports reuse one object for queries that are answered synchronously. */
export type DnsRequest = {
  bytes: Uint8Array;
  at: number;
  length: number;
  transport: 'udp' | 'tcp' | 'dot' | 'doh';
  /** 4 or 16 bytes; an IPv4-mapped IPv6 address is 4. */
  client: Uint8Array;
  clientPort: number;
  /** Destination address of the query; all zero if the system does not report it (dgram on a wildcard address). */
  local: Uint8Array;
  serverName?: string;
  /** Path element after /dns-query/ or /resolve/. */
  path?: string;
  login?: { user: string; password: string };
  /** Time of arrival at a UDP thread: the lowest 32 bits of the epoch milliseconds. */
  receivedMs?: number;
  /** Whether a UDP thread has applied the rate limit. */
  hasPassedRateLimit?: boolean;
  /** The upstream that a UDP thread has queried already. */
  replied?: Replied;
  /** Set by `answerSync` when it returns `NEEDS_LOOKUP`: the state from which `answerAsync` continues. */
  continuation?: QueryContext | undefined;
};

/** The query cannot be answered without waiting. */
export const NEEDS_LOOKUP = -1;

/** Writes the response into `output` at `at` and returns its length; 0 if the query is dropped. */
export type AnswerSync = (request: DnsRequest, output: Uint8Array, at: number, room: number) => number;

/**
 * Answers a query for which `answerSync` returned `NEEDS_LOOKUP`. Takes ownership of `request`. `reply` without bytes drops the query;
 * a second reply to the same query does nothing.
 */
export type AnswerAsync = (request: DnsRequest, reply: (bytes: Uint8Array | undefined) => void) => void;

export type Answers = { readonly answerSync: AnswerSync; readonly answerAsync: AnswerAsync };

export type Endpoint = { readonly host: string; readonly port: number };

export type Listening = { readonly address: Endpoint; readonly stop: () => Promise<void> };

/** Whether an address (4 or 16 bytes) is a configured proxy, whose statement about the client is trusted. */
export type IsTrusted = (address: Uint8Array) => boolean;

export type Report = (problem: string, error?: unknown) => void;

/** A copy of a request whose bytes the transport is about to reuse. */
export const ownRequest = (request: DnsRequest): DnsRequest => ({
  ...request,
  bytes: new Uint8Array(request.bytes.subarray(request.at, request.at + request.length)),
  at: 0,
});

/** Reports exceptions and drops the query, so that they do not end the listener. Only the first reply is sent. */
export function withoutThrowing({ answerSync, answerAsync }: Answers, report: Report): Answers {
  return {
    answerSync(request, output, at, room) {
      try {
        return answerSync(request, output, at, room);
      } catch (error) {
        report('answering a query failed', error);
        return 0;
      }
    },
    answerAsync(request, reply) {
      let isOpen = true;
      const replyOnce = (bytes: Uint8Array | undefined): void => {
        if (!isOpen) return;
        isOpen = false;
        reply(bytes);
      };
      try {
        answerAsync(request, replyOnce);
      } catch (error) {
        report('answering a query failed', error);
        replyOnce(undefined);
      }
    },
  };
}

import type { MessagePort } from 'node:worker_threads';
import type { Endpoint } from '../resolver/transport/listener.ts';
import type { AnsweringSetup, ProblemMessage, SkippedMessage } from './thread-messages.ts';

/** Start data of a UDP thread. It then waits for one message, the `Endpoint` to listen on. */
export type UdpSetup = {
  readonly answering: AnsweringSetup;
  /** Networks of proxies that use the PROXY protocol. */
  readonly proxies: readonly string[];
  readonly counts: SharedArrayBuffer;
  /** Number of control messages ever sent. */
  readonly messageCount: SharedArrayBuffer;
  readonly controlPort: MessagePort;
  /** To the resolver thread. */
  readonly forwardPort: MessagePort;
};

export type FromUdp =
  | { readonly kind: 'listening'; readonly fd: number; readonly address: Endpoint }
  | { readonly kind: 'cannot listen'; readonly code: string | undefined; readonly message: string }
  | ProblemMessage
  | SkippedMessage
  | { readonly kind: 'stopped' };

/** Queries that need a lookup, and the socket to answer them on. */
export type ForwardedMessage = { readonly fd: number; readonly packed: Uint8Array };

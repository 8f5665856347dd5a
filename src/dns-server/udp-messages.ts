import type { MessagePort } from 'node:worker_threads';
import type { AnsweringSetup } from './thread-messages.ts';

/** Start data of a UDP thread. It then waits for one request, the `Endpoint` to listen on. */
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

/** Queries that need a lookup, and the socket to answer them on. */
export type ForwardedMessage = { readonly fd: number; readonly packed: Uint8Array };

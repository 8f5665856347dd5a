import type { MessagePort } from 'node:worker_threads';
import type { AnsweringSetup } from './thread-messages.ts';

/** Start data of a UDP thread. It then waits for one request, the `Endpoint` to listen on. */
export type UdpSetup = {
  /** From 0. */
  readonly number: number;
  readonly answering: AnsweringSetup;
  /** Networks of proxies that use the PROXY protocol. */
  readonly proxies: readonly string[];
  readonly counts: SharedArrayBuffer;
  /** Number of control messages ever sent. */
  readonly messageCount: SharedArrayBuffer;
  readonly controlPort: MessagePort;
  /** To the resolver thread. */
  readonly forwardPort: MessagePort;
  readonly forwardCounters: SharedArrayBuffer;
};

/** Queries that need a lookup, and the socket to answer them on. */
export type ForwardedMessage = { readonly kind: 'forwarded'; readonly fd: number; readonly packed: Uint8Array };

/** Queries in the format of relay-messages.ts. Writing to `wakeFd` makes the UDP thread read its messages. */
export type RelayMessage = { readonly kind: 'relay'; readonly wakeFd: number; readonly packed: Uint8Array };

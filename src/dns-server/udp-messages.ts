import type { MessagePort } from 'node:worker_threads';
import type { AnsweringSetup, Place, SkippedMessage, Told } from './thread-messages.ts';

/** Data that a udp thread is started with. It then waits for one message, the `Place` to listen on. */
export type UdpSetup = {
  readonly answering: AnsweringSetup;
  /** Networks of proxies that speak the PROXY protocol. */
  readonly proxies: readonly string[];
  readonly counts: SharedArrayBuffer;
  /** Counts the letters that were ever put into the mailbox. */
  readonly mail: SharedArrayBuffer;
  readonly mailbox: MessagePort;
  /** To the dns thread. */
  readonly misses: MessagePort;
};

export type FromUdp =
  | { readonly kind: 'listening'; readonly fd: number; readonly address: Place }
  | { readonly kind: 'cannot listen'; readonly code: string | undefined; readonly message: string }
  | Told
  | SkippedMessage
  | { readonly kind: 'stopped' };

/** Queries that a udp thread could not answer, and the socket to answer them on. */
export type MissesMessage = { readonly fd: number; readonly packed: Uint8Array };

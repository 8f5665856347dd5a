import type { Socket } from 'node:net';
import { dialFailure } from './dial-error.ts';
import { framed, frameReader } from './length-prefixed.ts';
import type { Random } from './random.ts';
import { type Failed, failed } from './upstream-answer.ts';

/** A query in flight on a connection. */
type WaitingOnStream = {
  /** The message with the query's id. */
  readonly receive: (message: Uint8Array) => void;
  readonly fail: (failure: Failed) => void;
  /** Time at which `giveUpLate` ends it. */
  readonly until?: number;
};

export type StreamConnection = {
  readonly openedAt: number;
  readonly send: (query: (id: number) => Uint8Array, waiting: WaitingOnStream) => () => void;
  readonly inFlight: () => number;
  /** Ends the queries whose time is over. */
  readonly giveUpLate: () => void;
  readonly close: () => void;
};

export type ConnectionDeps = {
  /** A writable connection; with TLS, one whose certificate was checked. */
  readonly dial: (signal: AbortSignal) => Promise<Socket>;
  readonly now: () => number;
  readonly random: Random;
  readonly idleMs: number;
  readonly onStray: () => void;
  /** Called when it accepts no more queries. */
  readonly onRetired: () => void;
  readonly onClosed: () => void;
};

// Ids of abandoned queries are not reused while their answers may arrive. The connection is retired when it has more of them than this.
const MAX_GIVEN_UP = 100;

/** One connection with many queries in flight, each with its own id. */
export function openConnection(deps: ConnectionDeps): StreamConnection {
  const inFlight = new Map<number, WaitingOnStream>();
  const givenUp = new Set<number>();
  const dialling = new AbortController();
  let unsent: Uint8Array[] = [];
  let socket: Socket | undefined;
  let messages = 0;
  let messagesAtRelay = 0;
  let isFlushing = false;
  let isRetired = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  const read = frameReader((message) => {
    messages++;
    const id = (message[0]! << 8) | message[1]!;
    const pending = inFlight.get(id);
    if (pending) {
      leave(id);
      pending.receive(message);
    } else if (!givenUp.delete(id)) deps.onStray();
  });

  const end = (failure: Failed): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(idle);
    dialling.abort();
    socket?.destroy();
    const all = [...inFlight.values()];
    inFlight.clear();
    retire();
    deps.onClosed();
    for (const waiting of all) waiting.fail(failure);
  };
  const closed = (): void => end(failed('closed', 'the upstream closed the connection'));

  /** Stops accepting queries and closes when those in flight are answered. */
  const retire = (): void => {
    if (!isRetired) deps.onRetired();
    isRetired = true;
    if (inFlight.size === 0) closed();
  };

  const leave = (id: number): void => {
    inFlight.delete(id);
    if (inFlight.size > 0 || isClosed) return;
    if (isRetired) closed();
    else idle = setTimeout(closed, deps.idleMs);
  };

  const giveUp = (id: number, messagesBefore: number): void => {
    givenUp.add(id);
    leave(id);
    // Nothing has arrived since: the peer has disappeared, or stopped in the middle of a message.
    if (messages === messagesBefore || givenUp.size > MAX_GIVEN_UP) retire();
  };

  const begin = (connected: Socket): void => {
    if (isClosed) {
      connected.destroy();
      return;
    }
    socket = connected;
    connected.on('data', (chunk: Buffer) => {
      if (!read(chunk)) end(failed('closed', 'the upstream sent an invalid message'));
    });
    for (const event of ['end', 'close', 'error']) connected.on(event, closed);
    flush();
  };
  /** Writes all unsent queries at once, so that they share one packet and one TLS record. */
  const flush = (): void => {
    isFlushing = false;
    if (isClosed || unsent.length === 0) return;
    socket!.write(unsent.length === 1 ? unsent[0]! : Buffer.concat(unsent));
    unsent = [];
  };
  deps.dial(dialling.signal).then(begin, (error: unknown) => end(dialFailure(error)));

  return {
    openedAt: deps.now(),
    send(query, waiting) {
      clearTimeout(idle);
      let id = deps.random.short();
      while (inFlight.has(id) || givenUp.has(id)) id = deps.random.short();
      const messagesBefore = messages;
      inFlight.set(id, waiting);
      if (waiting.until !== undefined) messagesAtRelay = messages;
      unsent.push(framed(query(id)));
      if (socket && !isFlushing) {
        isFlushing = true;
        queueMicrotask(flush);
      }
      return () => {
        if (inFlight.get(id) === waiting) giveUp(id, messagesBefore);
      };
    },
    giveUpLate() {
      const now = deps.now();
      for (const [id, waiting] of inFlight)
        if (waiting.until !== undefined && waiting.until < now) {
          giveUp(id, messagesAtRelay);
          waiting.fail(failed('timeout', 'no answer in time'));
        }
    },
    inFlight: () => inFlight.size,
    close: () => end(failed('stopped', 'the resolver stops')),
  };
}

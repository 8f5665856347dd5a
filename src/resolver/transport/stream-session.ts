import type { Socket } from 'node:net';
import type { Connection } from './connections.ts';
import { createFraming, type Fed } from './framing.ts';
import { type Answers, type DnsRequest, ownRequest } from './listener.ts';

const MAX_IN_FLIGHT = 100;
/** No further queries are read while this many bytes of answers are unread by the client. */
const MAX_UNREAD = 256 * 1024;
const MAX_MESSAGE = 65_535;
const PREFIX = 2;

export type StreamSession = {
  readonly connection: Connection;
  readonly socket: Socket;
  readonly transport: 'tcp' | 'dot';
  readonly serverName?: string | undefined;
  readonly answers: Answers;
  readonly buffer: WriteBuffer;
};

/** Shared by all sessions of a listener. */
export type WriteBuffer = {
  /** Buffer for answers that are ready immediately. Empty between two events. */
  readonly bytes: Buffer;
  used: number;
  /** Whether the answers to one chunk are written immediately, without waiting for further chunks. */
  readonly isEager: boolean;
  /** Runs `act` when no further answers can join the same write. */
  readonly soon: (act: () => void) => void;
};

/**
 * TCP delivers many queries in one chunk, TLS one at a time. A TLS record per answer would cost more than the answer, so answers are
 * collected until all received queries are read.
 */
export function createWriteBuffer(transport: 'tcp' | 'dot'): WriteBuffer {
  const isEager = transport === 'tcp';
  const wait = (act: () => void): unknown => (isEager ? process.nextTick(act) : setImmediate(act));
  let due: (() => void)[] = [];
  const run = (): void => {
    const acts = due;
    due = [];
    for (const act of acts) act();
  };
  const soon = (act: () => void): void => {
    if (due.push(act) === 1) wait(run);
  };
  return { bytes: Buffer.alloc(3 * (PREFIX + MAX_MESSAGE)), used: 0, isEager, soon };
}

/** Sends answers as they become ready, possibly out of order (RFC 7766, 6.2.1.1); all that are ready at the same time go into one write. */
export function serveStream({ connection, socket, transport, serverName, answers, buffer }: StreamSession): void {
  const { client, clientPort, local } = connection.origin;
  const metadata = { transport, client, clientPort, local, ...(serverName === undefined ? {} : { serverName }) };
  const request: DnsRequest = { bytes: new Uint8Array(), at: 0, length: 0, ...metadata };
  let inFlight = 0;
  let ready: Buffer[] = [];
  let readyLength = 0;
  let hasEnded = false;
  let hasBegun = false;
  let isOver = false;

  const mayRead = (): boolean => inFlight < MAX_IN_FLIGHT && socket.writableLength + readyLength <= MAX_UNREAD;

  const framing = createFraming((bytes, at, length) => {
    if (buffer.bytes.length - buffer.used < PREFIX + MAX_MESSAGE) flushBuffer();
    hasBegun = true;
    request.bytes = bytes;
    request.at = at;
    request.length = length;
    const written = answers.answerSync(request, buffer.bytes, buffer.used + PREFIX, MAX_MESSAGE);
    if (written > 0) {
      buffer.bytes[buffer.used] = written >> 8;
      buffer.bytes[buffer.used + 1] = written;
      buffer.used += PREFIX + written;
    } else if (written < 0) {
      inFlight++;
      answers.answerAsync(ownRequest(request), reply);
    }
    return mayRead();
  });

  const reply = (bytes: Uint8Array | undefined): void => {
    inFlight--;
    const isFit = bytes !== undefined && bytes.length <= MAX_MESSAGE;
    const framed = Buffer.allocUnsafe(isFit ? PREFIX + bytes.length : 0);
    if (isFit) {
      framed.writeUInt16BE(bytes.length);
      framed.set(bytes, PREFIX);
    }
    add(framed);
  };

  const flushBuffer = (): void => {
    if (buffer.used === 0) return;
    const bytes = Buffer.allocUnsafe(buffer.used);
    buffer.bytes.copy(bytes, 0, 0, buffer.used);
    buffer.used = 0;
    if (buffer.isEager) write(bytes);
    else add(bytes);
  };

  // Writing to a closed connection causes an error.
  const write = (bytes: Buffer): void => {
    if (bytes.length > 0 && socket.writable) socket.write(bytes);
  };

  const add = (bytes: Buffer): void => {
    readyLength += bytes.length;
    if (ready.push(bytes) === 1) buffer.soon(flush);
  };

  const flush = (): void => {
    const bytes = ready.length === 1 ? ready[0]! : Buffer.concat(ready);
    ready = [];
    readyLength = 0;
    write(bytes);
    goOn('held');
  };

  const goOn = (fed: Fed): void => {
    flushBuffer();
    if (isOver) return;
    let now = fed;
    while (now === 'held' && mayRead() && !socket.destroyed) {
      now = framing.resume();
      flushBuffer();
    }
    if (now === 'broken' || (hasEnded && inFlight === 0 && now === 'read' && ready.length === 0)) {
      close();
      return;
    }
    if (now === 'held' || !mayRead()) socket.pause();
    else if (socket.isPaused()) socket.resume();
    if (ready.length === 0) updateState();
  };

  const close = (): void => {
    isOver = true;
    socket.off('data', onData);
    socket.resume();
    // The answers to earlier queries are sent first.
    write(Buffer.concat(ready));
    ready = [];
    socket.destroySoon();
    connection.state = 'busy';
  };

  /** The timeout of an incomplete message is not restarted by further bytes; all other timeouts are. */
  const updateState = (): void => {
    const isSameMessage = framing.hasPart() && connection.state === 'message' && !hasBegun;
    hasBegun = false;
    if (isSameMessage) return;
    connection.since = performance.now();
    if (framing.hasPart()) connection.state = 'message';
    else connection.state = inFlight > 0 || socket.writableNeedDrain ? 'busy' : 'idle';
  };

  const onData = (chunk: Uint8Array): void => goOn(framing.feed(chunk));
  socket.on('data', onData);
  socket.on('drain', () => goOn('held'));
  socket.on('end', () => {
    hasEnded = true;
    if (inFlight === 0 && ready.length === 0) close();
  });
}

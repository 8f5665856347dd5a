import type { TLSSocket } from 'node:tls';
import type { Connection } from './connections.ts';
import { type Exchange, refuse } from './doh-exchange.ts';
import { isDohPath, MAX_MESSAGE, readDohRequest, refusals } from './doh-request.ts';
import { createConnection } from './http2/connection.ts';
import type { AnswerRequest, ServeStreamed } from './http2/stream.ts';
import type { Web } from './web-requests.ts';

/** Reading from the client pauses while this many bytes are unsent. */
const MAX_UNREAD = 262_144;
const headTooLong = { kind: 'refused', refusal: refusals.headTooLong } as const;
const SWEEP_MS = 1000;
/** Time for the client to read the GOAWAY frame. */
const LAST_WORD_MS = 500;

const isWebPath = (path: string): boolean => !isDohPath(path);

/** Connects one HTTP/2 connection (http2/connection.ts) to its socket. */
export function serveHttp2(
  connection: Connection,
  socket: TLSSocket,
  serverName: string | undefined,
  exchange: Exchange,
  web: Web | undefined,
): void {
  const sender = { origin: connection.origin, serverName };

  const answer: AnswerRequest = (head, respond) => {
    const request = head.isTooLong ? headTooLong : readDohRequest(head);
    if (request.kind === 'body') {
      const { element } = request;
      return (bytes) => {
        if (bytes) exchange({ bytes, form: 'message', element }, head, sender, respond);
        else respond(refuse(refusals.bodyTooLong));
      };
    }
    if (request.kind === 'refused') respond(refuse(request.refusal));
    else exchange(request, head, sender, respond);
    return undefined;
  };

  const streamed: ServeStreamed | undefined = web && {
    takes: isWebPath,
    serve: (head, response) =>
      web.mayServe(connection.origin, head.forwardedFor) ? web.http2(head, response, connection.origin) : undefined,
  };

  const http2 = createConnection({
    answer,
    streamed,
    isCongested: () => socket.writableLength > MAX_UNREAD,
    maxBody: MAX_MESSAGE,
    send(bytes) {
      socket.write(bytes);
      if (socket.writableLength > MAX_UNREAD) socket.pause();
    },
    end() {
      // Discards further input, because closing a connection with unread bytes resets it, and the last frame is lost.
      socket.resume();
      socket.end();
      setTimeout(() => socket.destroy(), LAST_WORD_MS).unref();
    },
    moved(state) {
      connection.state = state;
      connection.since = performance.now();
    },
    now: () => performance.now(),
  });
  const sweeping = setInterval(http2.sweep, SWEEP_MS).unref();
  socket.on('data', http2.read);
  socket.on('drain', () => {
    socket.resume();
    http2.drained();
  });
  socket.on('close', () => {
    clearInterval(sweeping);
    http2.lost();
  });
}

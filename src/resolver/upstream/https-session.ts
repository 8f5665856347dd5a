import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { MAX_MESSAGE_LENGTH } from '../../dns/numbers.ts';
import { dialFailure } from './dial-error.ts';
import { type Failed, failed } from './upstream-answer.ts';

export type HttpsSession = {
  readonly openedAt: number;
  /** Posts a message; returns a function that stops waiting. */
  readonly post: (message: Uint8Array, done: (outcome: Posted) => void, until?: number) => () => void;
  readonly inFlight: () => number;
  /** Ends the requests whose time (`until`) is over. */
  readonly giveUpLate: () => void;
  readonly close: () => void;
};

export type Posted = { readonly kind: 'body'; readonly body: Uint8Array } | Failed;

export type SessionDeps = {
  readonly dial: (signal: AbortSignal) => Promise<Socket>;
  readonly now: () => number;
  readonly idleMs: number;
  readonly authority: string;
  readonly path: string;
  readonly onRetired: () => void;
  readonly onClosed: () => void;
};

const MEDIA_TYPE = 'application/dns-message';
// A server that does not answer a ping is treated as disconnected.
const PING_AFTER_MS = 1000;
const PING_LIMIT_MS = 1000;

type Request = {
  readonly message: Uint8Array;
  readonly done: (outcome: Posted) => void;
  readonly until: number | undefined;
  stream?: ClientHttp2Stream;
};

/** One HTTP/2 connection to a DoH server (RFC 8484). */
export function openSession(deps: SessionDeps): HttpsSession {
  const requests = new Set<Request>();
  const dialling = new AbortController();
  let session: ClientHttp2Session | undefined;
  let isRetired = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  let pinging: NodeJS.Timeout | undefined;

  const retire = (): void => {
    if (!isRetired) deps.onRetired();
    isRetired = true;
    if (requests.size === 0) closed();
  };
  const end = (failure: Failed): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(idle);
    clearTimeout(pinging);
    dialling.abort();
    session?.destroy();
    const all = [...requests];
    requests.clear();
    retire();
    deps.onClosed();
    for (const { done } of all) done(failure);
  };
  const closed = (): void => end(failed('closed', 'the upstream closed the connection'));

  const finish = (request: Request, outcome: Posted): void => {
    if (!requests.delete(request)) return;
    if (requests.size === 0) {
      clearTimeout(pinging);
      pinging = undefined;
      if (isRetired) closed();
      else if (!isClosed) idle = setTimeout(closed, deps.idleMs);
    }
    request.done(outcome);
  };

  const begin = (socket: Socket): void => {
    if (isClosed) {
      socket.destroy();
      return;
    }
    if ((socket as TLSSocket).alpnProtocol !== 'h2') {
      socket.destroy();
      end(failed('unreachable', 'the upstream does not speak HTTP/2'));
      return;
    }
    session = connect(`https://${deps.authority}`, { createConnection: () => socket, settings: { enablePush: false } });
    session.on('error', closed).on('close', closed).on('goaway', retire);
    for (const request of requests) send(request);
  };
  deps.dial(dialling.signal).then(begin, (error: unknown) => end(dialFailure(error)));

  // The peer may have closed the session before the event arrives.
  const isGone = (): boolean => session === undefined || session.closed || session.destroyed;

  function send(request: Request): void {
    if (isGone()) {
      closed();
      return;
    }
    const stream = session!.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: deps.path,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: MEDIA_TYPE,
      [constants.HTTP2_HEADER_ACCEPT]: MEDIA_TYPE,
      [constants.HTTP2_HEADER_CONTENT_LENGTH]: request.message.length,
    });
    request.stream = stream;
    readReply(stream, (outcome) => finish(request, outcome));
    stream.end(request.message);
    pinging ??= setTimeout(ping, PING_AFTER_MS);
  }

  function ping(): void {
    if (isGone()) {
      closed();
      return;
    }
    pinging = setTimeout(closed, PING_LIMIT_MS);
    session!.ping((error) => {
      clearTimeout(pinging);
      pinging = undefined;
      if (error) closed();
      else if (requests.size > 0) pinging = setTimeout(ping, PING_AFTER_MS);
    });
  }

  const giveUp = (request: Request): void => {
    if (!requests.has(request)) return;
    request.stream?.close(constants.NGHTTP2_CANCEL);
    finish(request, failed('timeout', 'no answer in time'));
  };

  return {
    openedAt: deps.now(),
    post(message, done, until) {
      clearTimeout(idle);
      const request: Request = { message, done, until };
      requests.add(request);
      if (session) send(request);
      return () => giveUp(request);
    },
    giveUpLate() {
      const now = deps.now();
      for (const request of requests) if (request.until !== undefined && request.until < now) giveUp(request);
    },
    inFlight: () => requests.size,
    close: () => end(failed('stopped', 'the resolver stops')),
  };
}

/** Reads a reply and checks its status, type and length. Redirects are not followed. */
function readReply(stream: ClientHttp2Stream, done: (outcome: Posted) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const refuse = (failure: Failed): void => {
    stream.close(constants.NGHTTP2_CANCEL);
    done(failure);
  };
  stream.on('response', (headers) => {
    const status = Number(headers[constants.HTTP2_HEADER_STATUS]);
    if (status !== 200) return refuse(statusFailure(status, String(headers[constants.HTTP2_HEADER_RETRY_AFTER] ?? '')));
    const type = String(headers[constants.HTTP2_HEADER_CONTENT_TYPE] ?? 'missing');
    if (type.split(';')[0]!.trim().toLowerCase() !== MEDIA_TYPE)
      return refuse(failed('malformed', `the answer's type is ${type.slice(0, 60)}`));
  });
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_MESSAGE_LENGTH) return refuse(failed('malformed', 'the response is longer than 65,535 bytes'));
    chunks.push(chunk);
  });
  stream.on('end', () => done({ kind: 'body', body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) }));
  // A failing stream emits an error, or only `close`.
  stream.on('error', (error) => done(failed('closed', error.message)));
  stream.on('close', () => done(failed('closed', 'the upstream closed the stream')));
}

const MAX_RETRY_AFTER_S = 30;

function statusFailure(status: number, retryAfter: string): Failed {
  const seconds = Number(retryAfter);
  return {
    ...failed('status', `the upstream answered with HTTP status ${status}`),
    ...(seconds > 0 && { retryAfterMs: Math.min(seconds, MAX_RETRY_AFTER_S) * 1000 }),
  };
}

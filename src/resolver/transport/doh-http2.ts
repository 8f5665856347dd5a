import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Stream,
  type ServerStreamResponseOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Exchange, type Reply, refuse } from './doh-exchange.ts';
import { type DohHead, MAX_MESSAGE, readDohRequest, refusals } from './doh-request.ts';
import type { Visit } from './visits.ts';

const MAX_STREAMS = 100;
const BODY_MS = 5000;

const sessionOptions = {
  settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: 98_304 },
  // In megabytes. A hundred answers of the largest size are 6.5.
  maxSessionMemory: 8,
  maxHeaderListPairs: 64,
  // Streams that are opened only to be reset (CVE-2023-44487): 200 at once, then 200 in 30 seconds, then GOAWAY.
  streamResetBurst: 200,
  streamResetRate: 7,
};

/**
 * One connection of HTTP/2. There is no server object of node:http2 around it: that one builds requests and responses in
 * the manner of HTTP/1 as soon as it shall also speak HTTP/1, and a request then costs 20 µs more.
 */
export function serveHttp2(visit: Visit, socket: TLSSocket, serverName: string | undefined, exchange: Exchange): void {
  const session = performServerHandshake(socket, sessionOptions);
  const sender = { origin: visit.origin, serverName };
  let open = 0;

  const note = (): void => {
    visit.doing = open > 0 ? 'busy' : 'idle';
    visit.since = performance.now();
  };

  const onClose = (): void => {
    open--;
    note();
  };

  session.on('error', () => socket.destroy());
  session.on('stream', (stream, headers) => {
    open++;
    note();
    stream.on('error', ignore);
    stream.on('close', onClose);
    if (open > MAX_STREAMS) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    answerStream(stream, headers);
  });

  const answerStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const head = headOf(headers);
    const request = readDohRequest(head);
    const respond = (reply: Reply | undefined): void => send(stream, reply);
    if (request.kind === 'refused') respond(refuse(request.refusal));
    else if (request.kind === 'query') exchange(request, head, sender, respond);
    else {
      const { element } = request;
      readBody(stream, (bytes) => {
        if (bytes) exchange({ bytes, form: 'message', element }, head, sender, respond);
        else respond(refuse(refusals.bodyTooLong));
      });
    }
  };
}

/** A stream that the client gives up is closed, which is all that matters. */
const ignore = (): void => undefined;

const headOf = (headers: IncomingHttpHeaders): DohHead => ({
  method: headers[':method'] as string,
  path: headers[':path'] as string,
  contentType: headers['content-type'],
  contentLength: headers['content-length'],
  authorization: headers.authorization,
  forwardedFor: headers['x-forwarded-for'] as string | undefined,
});

/** undefined when it is too long. */
function readBody(stream: ServerHttp2Stream, done: (bytes: Uint8Array | undefined) => void): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), BODY_MS).unref();
  const onData = (chunk: Uint8Array): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > MAX_MESSAGE) finish(undefined);
  };
  const onEnd = (): void => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  const finish = (bytes: Uint8Array | undefined): void => {
    clearTimeout(late);
    stream.off('data', onData);
    stream.off('end', onEnd);
    done(bytes);
  };
  stream.on('data', onData);
  stream.on('end', onEnd);
  stream.on('close', () => clearTimeout(late));
}

function send(stream: ServerHttp2Stream, reply: Reply | undefined): void {
  if (stream.destroyed || stream.closed) return;
  if (!reply) {
    stream.close(constants.NGHTTP2_CANCEL);
    return;
  }
  const { status, type, maxAge, allow, body } = reply;
  // A list and not an object, and no date: node:http2 then has little to do. The length, which HTTP/2 does not need, is for dig:
  // it takes an answer without one for empty.
  const headers = [':status', `${status}`, 'content-type', type, 'content-length', `${body.length}`];
  if (maxAge !== undefined) headers.push('cache-control', `max-age=${maxAge}`);
  if (allow !== undefined) headers.push('allow', allow);
  stream.respond(headers, withoutDate);
  stream.end(body);
}

const withoutDate = { sendDate: false } as ServerStreamResponseOptions;

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Visit } from './connections.ts';
import { type Exchange, type Reply, refuse, type Sender } from './doh-exchange.ts';
import { MAX_MESSAGE, readDohRequest, refusals } from './doh-request.ts';

// An import of node:http evaluates all its exports, among them undici, which costs 60 ms of CPU in every thread.
const { createServer } = process.getBuiltinModule('node:http');

const MAX_IN_FLIGHT = 100;
// `dns` may have 87,380 characters; somewhat longer ones still get an error response.
const MAX_HEADERS = 98_304;

type Guest = { readonly visit: Visit; readonly sender: Sender; open: number };

export type Http1 = (visit: Visit, socket: Socket, serverName: string | undefined) => void;

/** HTTP/1.1. The server never listens: it gets its connections from the TCP listener, which enforces the timeouts. */
export function createHttp1(exchange: Exchange): Http1 {
  const guests = new WeakMap<Socket, Guest>();
  // Requests to upgrade (to h2c, say) are answered as if they had no Upgrade header: there is no 'upgrade' handler.
  const server = createServer({ maxHeaderSize: MAX_HEADERS, keepAliveTimeout: 0 }, (request, response) => {
    const guest = guests.get(request.socket);
    if (!guest || guest.open >= MAX_IN_FLIGHT) {
      request.socket.destroy();
      return;
    }
    const { visit, sender } = guest;
    guest.open++;
    note(visit, 'message');
    response.on('close', () => {
      guest.open--;
      note(visit, guest.open > 0 ? 'busy' : 'idle');
    });
    answer(request, response, visit, sender);
  });

  const answer = (request: IncomingMessage, response: ServerResponse, visit: Visit, sender: Sender): void => {
    const { headers, method = '', url = '' } = request;
    const head = {
      method,
      path: url,
      contentType: headers['content-type'],
      contentLength: headers['content-length'],
      authorization: headers.authorization,
      forwardedFor: [headers['x-forwarded-for']].flat().join(),
    };
    const wanted = readDohRequest(head);
    const respond = (reply: Reply | undefined): void => send(request, response, reply);
    if (wanted.kind === 'refused') respond(refuse(wanted.refusal));
    else if (wanted.kind === 'query') {
      note(visit, 'busy');
      exchange(wanted, head, sender, respond);
    } else
      readBody(request, (bytes) => {
        note(visit, 'busy');
        if (bytes) exchange({ bytes, form: 'message', element: wanted.element }, head, sender, respond);
        else respond(refuse(refusals.bodyTooLong));
      });
  };

  return (visit, socket, serverName) => {
    guests.set(socket, { visit, sender: { origin: visit.origin, serverName }, open: 0 });
    server.emit('connection', socket);
  };
}

const note = (visit: Visit, doing: Visit['doing']): void => {
  visit.doing = doing;
  visit.since = performance.now();
};

/** The body; undefined if it is too long. */
function readBody(request: IncomingMessage, done: (bytes: Uint8Array | undefined) => void): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const onData = (chunk: Uint8Array): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= MAX_MESSAGE) return;
    request.off('data', onData);
    request.off('end', onEnd);
    done(undefined);
  };
  const onEnd = (): void => done(Buffer.concat(chunks));
  request.on('data', onData);
  request.on('end', onEnd);
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply | undefined): void {
  if (response.destroyed) return;
  if (!reply) {
    request.socket.destroy();
    return;
  }
  const { status, type, maxAge, allow, body } = reply;
  const headers = ['Content-Type', type, 'Content-Length', `${body.length}`];
  if (maxAge !== undefined) headers.push('Cache-Control', `max-age=${maxAge}`);
  if (allow !== undefined) headers.push('Allow', allow);
  // Do not wait for the rest of a body that is too long.
  if (status === refusals.bodyTooLong.status) headers.push('Connection', 'close');
  response.sendDate = false;
  response.writeHead(status, headers);
  response.end(body);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './connections.ts';
import { type Exchange, type Reply, refuse, type Sender } from './doh-exchange.ts';
import { isDohPath, MAX_MESSAGE, readDohRequest, refusals } from './doh-request.ts';
import type { Web } from './web-requests.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { createServer } = process.getBuiltinModule('node:http');

const MAX_IN_FLIGHT = 100;
// `dns` may have 87,380 characters; slightly longer requests still get an error response.
const MAX_HEADERS = 98_304;

type Session = { readonly connection: Connection; readonly sender: Sender; open: number };

export type Http1 = (connection: Connection, socket: Socket, serverName: string | undefined) => void;

/** HTTP/1.1. The server never listens: it gets its connections from the TCP listener, which enforces the timeouts. */
export function createHttp1(exchange: Exchange, web: Web | undefined): Http1 {
  const sessions = new WeakMap<Socket, Session>();
  // Requests to upgrade (to h2c, say) are answered as if they had no Upgrade header: there is no 'upgrade' handler.
  const server = createServer({ maxHeaderSize: MAX_HEADERS, keepAliveTimeout: 0 }, (request, response) => {
    const session = sessions.get(request.socket);
    if (!session || session.open >= MAX_IN_FLIGHT) {
      request.socket.destroy();
      return;
    }
    const { connection, sender } = session;
    session.open++;
    updateState(connection, 'message');
    response.on('close', () => {
      session.open--;
      updateState(connection, session.open > 0 ? 'busy' : 'idle');
    });
    if (web && isForWeb(web, request, connection)) {
      updateState(connection, 'web');
      web.http1(request, response, connection.origin, () => updateState(connection, 'web'));
    } else answer(request, response, connection, sender);
  });

  const answer = (request: IncomingMessage, response: ServerResponse, connection: Connection, sender: Sender): void => {
    const { headers, method = '', url = '' } = request;
    const head = {
      method,
      path: url,
      contentType: headers['content-type'],
      contentLength: headers['content-length'],
      authorization: headers.authorization,
      forwardedFor: [headers['x-forwarded-for']].flat().join(),
    };
    const dohRequest = readDohRequest(head);
    const respond = (reply: Reply | undefined): void => send(request, response, reply);
    if (dohRequest.kind === 'refused') respond(refuse(dohRequest.refusal));
    else if (dohRequest.kind === 'query') {
      updateState(connection, 'busy');
      exchange(dohRequest, head, sender, respond);
    } else
      readBody(request, (bytes) => {
        updateState(connection, 'busy');
        if (bytes) exchange({ bytes, form: 'message', element: dohRequest.element }, head, sender, respond);
        else respond(refuse(refusals.bodyTooLong));
      });
  };

  return (connection, socket, serverName) => {
    sessions.set(socket, { connection, sender: { origin: connection.origin, serverName }, open: 0 });
    server.emit('connection', socket);
  };
}

const isForWeb = (web: Web, { url = '', headers }: IncomingMessage, { origin }: Connection): boolean =>
  !isDohPath(url) && web.mayServe(origin, [headers['x-forwarded-for']].flat().join());

const updateState = (connection: Connection, state: Connection['state']): void => {
  connection.state = state;
  connection.since = performance.now();
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

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isPrivateAddress } from '../../kit/private-address.ts';
import type { Origin } from './connections.ts';
import { forwardedClient } from './forwarded-for.ts';
import type { RequestHead } from './http2/request-head.ts';
import type { StreamedRequest, StreamedResponse } from './http2/stream.ts';
import type { IsTrusted } from './listener.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { request: openRequest } = process.getBuiltinModule('node:http');

export type WebOptions = {
  /** `private`: only if the client and the address that it connected to are private. */
  readonly from: 'private' | 'on';
  /** HTTP proxies whose X-Forwarded-For header is trusted. */
  readonly forwarders: IsTrusted;
  /** Opens a connection to the HTTP server; undefined while it does not run. */
  readonly connect: (origin: Origin) => Duplex | undefined;
};

export type Web = ReturnType<typeof createWeb>;

type Head = { readonly method: string; readonly path: string; readonly fields: readonly string[] };

/**
 * Forwards requests that are not DNS queries to the HTTP server in the main thread, each over a separate connection with the addresses of
 * the client.
 */
export function createWeb({ from, forwarders, connect }: WebOptions) {
  /** Undefined if the HTTP server does not run. Throws if the request cannot be written. */
  const forward = ({ method, path, fields }: Head, origin: Origin): ClientRequest | undefined => {
    const stream = connect(origin);
    if (!stream) return undefined;
    try {
      return openRequest({ method, path, headers: fields, createConnection: () => stream });
    } catch (error) {
      stream.destroy();
      throw error;
    }
  };

  /** The request, or the reason why it cannot be forwarded. */
  const tryForward = (head: Head, origin: Origin): ClientRequest | Refused => {
    try {
      return forward(head, origin) ?? refused.starting;
    } catch {
      return refused.malformed;
    }
  };

  return {
    mayServe({ client, local }: Origin, forwardedFor: string | undefined): boolean {
      if (from === 'on') return true;
      const peer = forwardedClient(client, forwardedFor, forwarders);
      return isPrivateAddress(peer, 0, peer.length) && isPrivateAddress(local, 0, local.length);
    },

    /** `moved` is called whenever bytes are received or sent. */
    http1(request: IncomingMessage, response: ServerResponse, origin: Origin, moved: () => void): void {
      const { method = '', url = '', rawHeaders, headers } = request;
      const fields = [...endToEnd(rawHeaders), ...(headers['transfer-encoding'] === undefined ? [] : chunked)];
      const forwarded = tryForward({ method, path: url, fields }, origin);
      if ('status' in forwarded) {
        response.writeHead(forwarded.status, { 'content-type': 'text/plain' }).end(`${forwarded.text}\n`);
        return;
      }
      request.on('data', moved).pipe(forwarded);
      forwarded.on('response', (received) => {
        response.sendDate = false;
        response.writeHead(received.statusCode!, received.statusMessage, endToEnd(received.rawHeaders));
        received.on('data', moved).pipe(response);
        received.on('error', () => response.destroy());
      });
      forwarded.on('error', () => {
        if (response.headersSent) response.destroy();
        else
          response.writeHead(refused.failed.status, { 'content-type': 'text/plain' }).end(`${refused.failed.text}\n`);
      });
      response.on('close', () => forwarded.destroy());
    },

    http2(head: RequestHead, response: StreamedResponse, origin: Origin): StreamedRequest {
      const refuse = ({ status, text }: Refused): void => {
        response.head(status, ['content-type', 'text/plain']);
        response.write(Buffer.from(`${text}\n`));
        response.end();
      };
      const forwarded = tryForward({ method: head.method, path: head.path, fields: http1Fields(head) }, origin);
      if ('status' in forwarded) {
        // Deferred, because the caller does not have the stream yet.
        setImmediate(refuse, forwarded);
        return { data: ({ length }) => response.consumed(length), end() {}, drained() {}, closed() {} };
      }
      let received: IncomingMessage | undefined;
      forwarded.on('response', (incoming) => {
        received = incoming;
        response.head(incoming.statusCode!, endToEnd(incoming.rawHeaders));
        incoming.on('data', (bytes: Buffer) => {
          if (!response.write(bytes)) incoming.pause();
        });
        incoming.on('end', response.end);
        incoming.on('error', response.cancel);
      });
      forwarded.on('error', () => (received ? response.cancel() : refuse(refused.failed)));
      return {
        data: (bytes) => forwarded.write(bytes, () => response.consumed(bytes.length)),
        end: () => void forwarded.end(),
        drained: () => void received?.resume(),
        closed: () => void forwarded.destroy(),
      };
    },
  };
}

type Refused = { readonly status: number; readonly text: string };

const refused = {
  starting: { status: 503, text: 'The HTTP server is starting or stopping.' },
  failed: { status: 503, text: 'The HTTP server did not respond.' },
  malformed: { status: 400, text: 'The request is malformed.' },
} as const satisfies Record<string, Refused>;

// Hop-by-hop fields (RFC 9110, 7.6.1), and `expect`, which this server has answered.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Alternating names and values, without hop-by-hop fields. */
function endToEnd(fields: readonly string[]): string[] {
  const forwarded: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (!hopByHop.has(fields[at]!.toLowerCase())) forwarded.push(fields[at]!, fields[at + 1]!);
  return forwarded;
}

/** The body of the request needs chunked encoding, because it has no content-length. */
const chunked = ['Transfer-Encoding', 'chunked'];

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The header of an HTTP/2 request in HTTP/1.1: `:authority` is `Host`, and there is one cookie field (RFC 9113, 8.2.3 and 8.3.1). */
function http1Fields({ method, authority, contentLength, others = [] }: RequestHead): string[] {
  const fields: string[] = [];
  const cookies: string[] = [];
  let host = authority;
  for (let at = 0; at + 1 < others.length; at += 2) {
    const [name, value] = [others[at]!, others[at + 1]!];
    if (name === 'cookie') cookies.push(value);
    else if (name === 'host') host ??= value;
    else if (!hopByHop.has(name)) fields.push(name, value);
  }
  if (cookies.length > 0) fields.push('cookie', cookies.join('; '));
  if (host !== undefined) fields.push('host', host);
  if (contentLength === undefined && !bodiless.has(method)) fields.push(...chunked);
  return fields;
}

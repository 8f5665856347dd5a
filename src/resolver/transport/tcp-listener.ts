import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressBytes } from '../identity/address-key.ts';
import {
  type Connection,
  type ConnectionCounts,
  type ConnectionLimits,
  type ConnectionTracker,
  createConnectionTracker,
  defaultConnectionLimits,
  type Origin,
} from './connections.ts';
import type { Endpoint, IsTrusted, Listening, Report } from './listener.ts';
import { type Peeked, peek } from './peek.ts';
import { readProxyHeader } from './proxy-protocol.ts';

export type TcpListenerOptions = Endpoint & {
  readonly limits?: Partial<ConnectionLimits>;
  /** Proxies whose connections begin with a PROXY header. */
  readonly proxies?: IsTrusted | undefined;
  /** Keep half-closed connections open until pending answers are sent. */
  readonly allowHalfOpen?: boolean;
  /** `hello`: connections begin with a TLS handshake, and count as established only after it. */
  readonly begins?: 'hello' | 'first';
  /** Whether another process may listen on the same port. */
  readonly reusePort?: boolean;
  readonly report: Report;
};

export type TcpListener = Listening & {
  readonly counts: () => Readonly<ConnectionCounts>;
  readonly useLimits: (limits: Partial<ConnectionLimits>) => void;
};

const SWEEP_MS = 250;
const STOP_MS = 1000;
const EVICTED_WITHOUT_DESCRIPTORS = 10;

/** Accepts connections within the limits and closes those that exceed their timeouts, for any protocol. */
export async function openTcpListener(
  options: TcpListenerOptions,
  serve: (connection: Connection, tracker: ConnectionTracker) => void,
): Promise<TcpListener> {
  const { host, port, proxies, allowHalfOpen = false, begins = 'first', reusePort = false, report } = options;
  const tracker = createConnectionTracker({ ...defaultConnectionLimits, ...options.limits });

  // With TLS, the client is counted when its ClientHello is complete.
  const start = (connection: Connection): void => {
    if (begins === 'hello' || tracker.admit(connection)) serve(connection, tracker);
  };

  const server = createServer({ allowHalfOpen, noDelay: true }, (socket) => {
    // Any error ends the connection.
    socket.on('error', () => socket.destroy());
    const origin = originOf(socket);
    const connection = origin && tracker.enter(socket, origin, performance.now(), begins);
    if (!connection) socket.destroy();
    else if (!proxies?.(origin.client)) start(connection);
    else
      peek(
        socket,
        (bytes) => proxiedOrigin(bytes, origin),
        (found) => {
          tracker.setOrigin(connection, found);
          start(connection);
        },
      );
  });

  const ipv6Only = host.includes(':') && !/^[0:]*$/.test(host);
  server.listen({ host, port, backlog: 511, ipv6Only, reusePort });
  await once(server, 'listening');
  // Usually caused by a lack of descriptors (EMFILE), so connections that are not busy are closed.
  server.on('error', (error) => {
    report('failed to accept connections', error);
    for (let i = 0; i < EVICTED_WITHOUT_DESCRIPTORS && tracker.evictOne(); i++);
  });
  // Runs after pending input is read: clients seem idle after this thread was blocked.
  const sweep = (): void => void setImmediate(() => tracker.sweep(performance.now()));
  const sweeping = setInterval(sweep, SWEEP_MS).unref();

  return {
    address: { host, port: (server.address() as { port: number }).port },
    counts: () => tracker.counts,
    useLimits: tracker.useLimits,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      const end = performance.now() + STOP_MS;
      for (;;) {
        const isLate = performance.now() >= end;
        for (const { socket, state } of tracker.all()) if (isLate || state !== 'busy') socket.destroy();
        if (tracker.counts.open === 0) break;
        await sleep(10);
      }
      clearInterval(sweeping);
      await closed;
    },
  };
}

function originOf({ remoteAddress, remotePort, localAddress }: Socket): Origin | undefined {
  const client = addressBytes(withoutZone(remoteAddress));
  const local = addressBytes(withoutZone(localAddress));
  // A connection that was reset before it was accepted has no address.
  return client && local && { client, clientPort: remotePort ?? 0, local };
}

const withoutZone = (address = ''): string => address.split('%')[0]!;

function proxiedOrigin(bytes: Uint8Array, socketOrigin: Origin): Peeked<Origin> {
  const header = readProxyHeader(bytes, 0, bytes.length);
  if (header.kind === 'more' || header.kind === 'malformed') return header;
  return { kind: 'read', used: header.length, value: header.kind === 'local' ? socketOrigin : header };
}

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressBytes } from '../identity/address-key.ts';
import {
  createVisits,
  type Origin,
  type Visit,
  type VisitCounts,
  type VisitLimits,
  type Visits,
  visitLimits,
} from './connections.ts';
import type { Endpoint, IsTrusted, Listening, Tell } from './listener.ts';
import { type Peeked, peek } from './peek.ts';
import { readProxyHeader } from './proxy-protocol.ts';

export type DoorOptions = Endpoint & {
  readonly limits?: Partial<VisitLimits>;
  /** Proxies whose connections begin with a PROXY header. */
  readonly proxies?: IsTrusted | undefined;
  /** Keep half-closed connections open until pending answers are sent. */
  readonly allowHalfOpen?: boolean;
  /** `hello`: connections begin with a TLS handshake, and count as established only after it. */
  readonly begins?: 'hello' | 'first';
  readonly tell: Tell;
};

export type Door = Listening & { readonly counts: () => Readonly<VisitCounts> };

const SWEEP_MS = 250;
const STOP_MS = 1000;
const EVICTED_WITHOUT_DESCRIPTORS = 10;

/** Accepts connections within the limits and closes those that exceed their timeouts. Independent of the protocol. */
export async function openDoor(options: DoorOptions, enter: (visit: Visit, visits: Visits) => void): Promise<Door> {
  const { host, port, proxies, allowHalfOpen = false, begins = 'first', tell } = options;
  const visits = createVisits({ ...visitLimits, ...options.limits });

  // During a handshake the client is counted once its ClientHello is complete.
  const admit = (visit: Visit): void => {
    if (begins === 'hello' || visits.isWelcome(visit)) enter(visit, visits);
  };

  const server = createServer({ allowHalfOpen, noDelay: true }, (socket) => {
    // Any error ends the connection.
    socket.on('error', () => socket.destroy());
    const origin = originOf(socket);
    const visit = origin && visits.enter(socket, origin, performance.now(), begins);
    if (!visit) socket.destroy();
    else if (!proxies?.(origin.client)) admit(visit);
    else
      peek(
        socket,
        (bytes) => proxiedOrigin(bytes, origin),
        (found) => {
          visits.comesFrom(visit, found);
          admit(visit);
        },
      );
  });

  server.listen({ host, port, backlog: 511, ipv6Only: host.includes(':') && !/^[0:]*$/.test(host) });
  await once(server, 'listening');
  // Usually out of descriptors (EMFILE): connections that are not busy are closed.
  server.on('error', (error) => {
    tell('failed to accept connections', error);
    for (let i = 0; i < EVICTED_WITHOUT_DESCRIPTORS && visits.evictOne(); i++);
  });
  // After reading what has arrived: if this thread was blocked, clients only seem silent.
  const sweep = (): void => void setImmediate(() => visits.sweep(performance.now()));
  const sweeping = setInterval(sweep, SWEEP_MS).unref();

  return {
    address: { host, port: (server.address() as { port: number }).port },
    counts: () => visits.counts,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      const end = performance.now() + STOP_MS;
      for (;;) {
        const isLate = performance.now() >= end;
        for (const { socket, doing } of visits.all()) if (isLate || doing !== 'busy') socket.destroy();
        if (visits.counts.open === 0) break;
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

function proxiedOrigin(bytes: Uint8Array, own: Origin): Peeked<Origin> {
  const header = readProxyHeader(bytes, 0, bytes.length);
  if (header.kind === 'more' || header.kind === 'malformed') return header;
  return { kind: 'read', used: header.length, value: header.kind === 'local' ? own : header };
}

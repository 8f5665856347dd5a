import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isPrivate, reachableAddresses } from '../platform/own-addresses.ts';
import { PRIVATE_ADDRESSES } from '../settings/setting-kinds.ts';
import type { Settings } from '../settings/settings.ts';

// Part of the ten seconds for the stop of the process; the rest is for the other components.
const DRAIN_MS = 7_000;
const POLL_MS = 10;
const IDLE_CHECK_MS = 50;

/** Starts and stops the HTTP server. Routes are registered on `server` before `listen` is called. */
export function httpListener(server: FastifyInstance, settings: Pick<Settings, 'http' | 'sharePorts'>) {
  const addresses = (): readonly AddressInfo[] => {
    const address = server.server.address();
    return address === null || typeof address === 'string' ? [] : [address];
  };
  let stopping: Promise<boolean> | undefined;
  return {
    listen: (): Promise<AddressInfo> => listen(server, settings),
    /** The URL of the interface for users, with an address of the local network if it listens there; empty before `listen`. */
    url: (): string => addresses().map(urlOf)[0] ?? '',
    listeners: () => addresses().map(({ address, port }) => ({ name: 'http', host: address, port })),
    /** Stops accepting requests. Resolves to true if those in flight were completed in time; otherwise `stopWork` aborts them. */
    stop: (stopWork: () => Promise<void>, openHttps: () => number): Promise<boolean> => {
      stopping ??= drain(server, stopWork, openHttps);
      return stopping;
    },
  };
}

const urlOf = ({ address, port }: AddressInfo): string => {
  const host = reachableAddresses(address)[0]!;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

async function listen(
  server: FastifyInstance,
  { http: { host, port }, sharePorts }: Pick<Settings, 'http' | 'sharePorts'>,
): Promise<AddressInfo> {
  // Fastify passes this option to node:net.
  const shared: object = { reusePort: sharePorts === 'on' };
  // Addresses may change with the network, so the listener binds all addresses and rejects connections to public ones.
  if (host === PRIVATE_ADDRESSES) server.server.prependListener('connection', closeIfPublic);
  const all = host === PRIVATE_ADDRESSES ? '::' : host;
  try {
    await server.listen({ host: all, port, ...shared });
  } catch (error) {
    // Fallback for machines without IPv6.
    if (all !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    await server.listen({ host: '0.0.0.0', port, ...shared });
  }
  return server.server.address() as AddressInfo;
}

function closeIfPublic(socket: Socket): void {
  if (!isPrivate(socket.localAddress ?? '')) socket.destroy();
}

async function drain(
  server: FastifyInstance,
  stopWork: () => Promise<void>,
  openHttps: () => number,
): Promise<boolean> {
  const end = performance.now() + 2 * DRAIN_MS;
  // Connections with a request in flight become idle when it is completed, and clients keep them open.
  const closing = globalThis.setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS);
  const drained = server.close().then(async () => {
    clearInterval(closing);
    // The server does not count the connections that the resolver thread forwards.
    while (openHttps() > 0 && performance.now() < end) await setTimeout(POLL_MS);
    return 'drained' as const;
  });
  const first = await Promise.race([drained, setTimeout(DRAIN_MS, 'late' as const, { ref: false })]);
  if (first === 'drained') return true;
  await stopWork();
  await Promise.race([drained, setTimeout(DRAIN_MS / 16, undefined, { ref: false })]);
  server.server.closeAllConnections();
  await drained;
  return false;
}

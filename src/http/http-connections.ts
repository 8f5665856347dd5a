import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isTrustedBy, limitKey, parseTrusted } from './client-address.ts';

type ConnectionSettings = {
  readonly httpConnectionsPerAddress: number;
  readonly trustedProxy: readonly string[];
};

type ConnectionLimit = {
  /** Connections closed because of the limit. */
  readonly closed: () => number;
  /** Applies to new connections; open ones are not closed. */
  readonly useLimit: (perAddress: number) => void;
};

type Connection = { readonly socket: Socket; requests: number };

/**
 * Limits the connections of one IPv4 address or IPv6 /64. Beyond the limit the oldest connection without a request is closed; when
 * all have one, the new connection is. Trusted proxies are exempt: their connections carry the requests of many clients.
 */
export function limitConnections(
  server: Server,
  { httpConnectionsPerAddress, trustedProxy }: ConnectionSettings,
): ConnectionLimit {
  const isTrusted = isTrustedBy(parseTrusted(trustedProxy));
  // Oldest first.
  const byClient = new Map<string, Set<Connection>>();
  const bySocket = new WeakMap<Socket, Connection>();
  let max = httpConnectionsPerAddress;
  let closed = 0;

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return;
    const client = limitKey(address);
    const connections = byClient.get(client) ?? new Set();
    if (connections.size >= max) {
      closed++;
      const idle = connections.values().find(({ requests }) => requests === 0);
      if (!idle) return void socket.destroy();
      connections.delete(idle);
      idle.socket.destroy();
    }
    const connection: Connection = { socket, requests: 0 };
    byClient.set(client, connections.add(connection));
    bySocket.set(socket, connection);
    socket.once('close', () => {
      connections.delete(connection);
      if (connections.size === 0 && byClient.get(client) === connections) byClient.delete(client);
    });
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(socket);
    if (!connection) return;
    connection.requests++;
    response.once('close', () => connection.requests--);
  });
  return {
    closed: () => closed,
    useLimit: (perAddress) => {
      max = perAddress;
    },
  };
}

import type { Server } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { addressText } from '../kit/address-text.ts';
import { createPortStreams } from '../platform/port-streams.ts';
import type { Origin } from '../resolver/transport/connections.ts';

/**
 * Gives the HTTP server the requests that arrive at the listener of DNS over HTTPS, in the resolver thread. Each comes over a stream that
 * has the addresses of its TLS connection, so that the rules for addresses, limits and proxies are those of plain HTTP.
 */
export function acceptHttps(port: MessagePort, server: Server): { readonly open: () => number } {
  const { open } = createPortStreams<Origin>(port, (stream, { client, clientPort, local }) => {
    stream.on('error', () => stream.destroy());
    const properties = {
      remoteAddress: addressText(client),
      remotePort: clientPort,
      localAddress: addressText(local),
      encrypted: true,
    };
    server.emit('connection', Object.assign(stream, properties));
  });
  return { open };
}

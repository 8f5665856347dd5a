import type { Server } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { addressText } from '../kit/address-text.ts';
import { createPortStreams } from '../platform/port-streams.ts';
import type { Origin } from '../resolver/transport/connections.ts';

/**
 * Passes requests from the listener of DNS over HTTPS (resolver thread) to the HTTP server. Each arrives over a stream with the addresses
 * of its TLS connection, so that the rules for addresses, limits and proxies of plain HTTP apply.
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

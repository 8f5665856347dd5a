import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

type Listen = { readonly host: string; readonly port: number };

/** For those who run the program: figures for Prometheus, out of the public's way. */
export async function startAdminServer(
  { host, port }: Listen,
  mayTakeAnother: boolean,
  { registry }: Metrics,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not Found\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    if (!mayTakeAnother || error.code !== 'EADDRINUSE') throw error;
    return listen(server, host, 0);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WRONG_HOST } from '../http/host-check.ts';
import type { Metrics } from './metrics.ts';

// An import of node:http evaluates all its exports, among them undici, which costs 60 ms of CPU in every thread.
const { createServer } = process.getBuiltinModule('node:http');

type Listen = { readonly host: string; readonly port: number };

/** What is told as JSON, by path; there may be more of them later. */
type AdminPages = ReadonlyMap<string, () => unknown>;

type Serves = {
  readonly metrics: Metrics;
  readonly pages: AdminPages;
  /** Whether the Host header is not a name of this service, as after DNS rebinding. */
  readonly isUnknownHost: (request: IncomingMessage) => boolean;
};

/** The listener for operators: metrics for Prometheus, and status pages as JSON. */
export async function startAdminServer(
  { host, port }: Listen,
  mayTakeAnother: boolean,
  { metrics: { registry }, pages, isUnknownHost }: Serves,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const figures = async (): Promise<Told> => ({ type: registry.contentType, text: await registry.metrics() });
  const server = createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    if (isUnknownHost(request)) {
      response.writeHead(421, { 'content-type': 'application/json' }).end(WRONG_HOST);
      return;
    }
    const path = request.url?.split('?', 1)[0] ?? '';
    const page = pages.get(path);
    const tell = path === '/metrics' ? figures : page && (() => json(page));
    if (request.method !== 'GET' || !tell) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not Found\n');
      return;
    }
    void answer(response, tell);
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

type Told = { readonly type: string; readonly text: string };

const json = async (page: () => unknown): Promise<Told> => ({
  type: 'application/json',
  text: `${JSON.stringify(await page(), undefined, 2)}\n`,
});

async function answer(response: ServerResponse, tell: () => Promise<Told>): Promise<void> {
  try {
    const { type, text } = await tell();
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

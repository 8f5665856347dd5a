import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { unknownHostCheck, WRONG_HOST } from '../http/host-check.ts';
import { type Health, live, readiness } from './health.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { createServer } = process.getBuiltinModule('node:http');

type AdminSettings = Parameters<typeof unknownHostCheck>[0] & {
  readonly admin: { readonly host: string; readonly port: number } | 'off';
};

type Serves = {
  readonly registry: Pick<Registry, 'contentType' | 'metrics'>;
  /** Status pages as JSON, by path. */
  readonly pages: ReadonlyMap<string, () => unknown>;
  readonly health: Health;
};

/** Opens the listener for operators: metrics for Prometheus, health checks and status pages. Undefined if it is off. */
export async function openAdminServer(
  settings: AdminSettings,
  mayUseOtherPort: boolean,
  { registry, pages, health }: Serves,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> } | undefined> {
  if (settings.admin === 'off') return undefined;
  const { host, port } = settings.admin;
  // No trusted proxies: this listener is not behind a proxy, and trusting loopback would admit every local browser.
  const isUnknownHost = unknownHostCheck({ ...settings, trustedProxy: [] });
  const ready = async (): Promise<Page> => {
    const { status, body } = await readiness(health);
    return { ...(await json(() => body)), status };
  };
  const routes: ReadonlyMap<string, () => Promise<Page>> = new Map([
    ...Array.from(pages, ([path, page]) => [path, () => json(page)] as const),
    ['/metrics', async () => ({ type: registry.contentType, text: await registry.metrics() })],
    ['/health/live', () => json(() => live)],
    ['/health/ready', ready],
    ['/health', ready],
  ]);
  const server = createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    if (isUnknownHost(request)) {
      response.writeHead(421, { 'content-type': 'application/json' }).end(WRONG_HOST);
      return;
    }
    const path = request.url?.split('?', 1)[0] ?? '';
    const read = routes.get(path);
    if (request.method !== 'GET' || !read) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not Found\n');
      return;
    }
    void send(response, read);
  });
  await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    if (!mayUseOtherPort || error.code !== 'EADDRINUSE') throw error;
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

type Page = { readonly type: string; readonly text: string; readonly status?: number };

const json = async (page: () => unknown): Promise<Page> => ({
  type: 'application/json',
  text: `${JSON.stringify(await page(), undefined, 2)}\n`,
});

async function send(response: ServerResponse, read: () => Promise<Page>): Promise<void> {
  try {
    const { type, text, status = 200 } = await read();
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BYTE_EVERY_MS = 500;

export type DrippingServer = {
  /** URL of a list that never ends; each `name` is a separate list. */
  readonly urlOf: (name: string) => string;
  /** Number of open downloads. */
  readonly open: () => number;
  readonly stop: () => Promise<void>;
};

/** An HTTP server whose lists arrive at one byte every 0.5 s and never end. */
export async function startDrippingServer(): Promise<DrippingServer> {
  const responses = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    responses.add(response);
    response.once('close', () => responses.delete(response)).on('error', () => responses.delete(response));
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('|');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const drip = setInterval(() => {
    for (const response of responses) response.write('a');
  }, BYTE_EVERY_MS);
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}.txt`,
    open: () => responses.size,
    stop: async () => {
      clearInterval(drip);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Target = {
  /** The compile service, as `http://127.0.0.1:8080`. It must be allowed to download from 127.0.0.1. */
  readonly url: string;
  /** Compilations per address; each has one source that never ends. */
  readonly count: number;
  /** Local addresses that the compilations come from. */
  readonly addresses?: readonly string[];
};

export type DrippingSources = {
  readonly server: DrippingServer;
  /** Answers by status; 0 for a connection that was closed. */
  readonly answers: ReadonlyMap<number, number>;
  readonly stop: () => Promise<void>;
};

/** Starts `count` compilations per address, each of one source that arrives at 2 bytes a second. */
export async function startDrippingSources({
  url,
  count,
  addresses = ['127.0.0.2'],
}: Target): Promise<DrippingSources> {
  const server = await startDrippingServer();
  const answers = new Map<number, number>();
  const note = (status: number): void => void answers.set(status, (answers.get(status) ?? 0) + 1);
  const requests = addresses.flatMap((localAddress) =>
    Array.from({ length: count }, (_, at) => {
      const source = server.urlOf(`${localAddress}-${at}`);
      const sent = request(`${url}/compile`, {
        method: 'POST',
        localAddress,
        agent: false,
        headers: { 'content-type': 'application/json' },
      });
      sent.on('error', () => note(0));
      sent.on('response', (response) => note(response.resume().statusCode ?? 0));
      sent.end(JSON.stringify({ configuration: { name: `drip ${at}`, sources: [{ source }] } }));
      return sent;
    }),
  );
  return {
    server,
    answers,
    stop: async () => {
      for (const sent of requests) sent.destroy();
      await server.stop();
    },
  };
}

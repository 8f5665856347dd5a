import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createPlainServer, type Server as NetServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { SelfSigned } from '../../../src/resolver/transport/make-self-signed.ts';

export type Origin = {
  url: string;
  port: number;
  /** All connections so far. */
  connections: readonly Socket[];
  /** Resolves when the client has closed all connections. */
  allClosed(): Promise<void>;
};

/** A server that responds with `answer`, closed at the end of the test. */
export const httpOrigin = (t: TestContext, answer: RequestListener): Promise<Origin> => run(t, createServer(answer));

export const httpsOrigin = (t: TestContext, certificate: SelfSigned, answer: RequestListener): Promise<Origin> =>
  run(t, createSecureServer(certificate, answer), 'https://localhost');

/** For responses that no HTTP server would send: writes the text after a request, and then calls `then`. */
export const rawOrigin = (
  t: TestContext,
  text: string | Buffer,
  then: (socket: Socket) => unknown = (socket) => socket.end(),
) =>
  run(
    t,
    createPlainServer((socket) =>
      socket.once('data', () => {
        socket.write(text);
        then(socket);
      }),
    ),
  );

/** Answers each request with the next of these, and all further ones with the last. */
export function inTurn(...answers: readonly RequestListener[]): RequestListener & { asked: IncomingMessage[] } {
  const asked: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request);
    answers[Math.min(asked.length, answers.length) - 1]?.(request, response);
  };
  return Object.assign(listener, { asked });
}

export const says =
  (status: number, headers: Record<string, string | string[]> = {}, body: string | Buffer = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** Settings without waits, and the recorded durations of the skipped waits. */
export function noWaiting() {
  const waits: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  return { waits, settings: { sleep, random: () => 0.5 } };
}

async function run(t: TestContext, server: Server | NetServer, base = 'http://127.0.0.1'): Promise<Origin> {
  const connections: Socket[] = [];
  const closings: Promise<unknown>[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    closings.push(new Promise((resolve) => socket.once('close', resolve)));
    // Ignores connection resets, which many of these tests cause.
    socket.on('error', () => {});
  });
  // Open connections of clients are not closed.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    for (const socket of connections) socket.destroy();
    await once(server, 'close');
  });

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  const allClosed = async () => {
    const tooLong = AbortSignal.timeout(20_000);
    const open = once(tooLong, 'abort').then(() => assert.fail('a connection was left open'));
    await Promise.race([Promise.all(closings), open]);
  };
  return { url: `${base}:${address.port}/`, port: address.port, connections, allClosed };
}

import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { framed, frameReader } from '../../../../src/resolver/upstream/length-prefixed.ts';
import { listenAtOnePort } from '../../kit/ports.ts';
import { a, answerTo, type Query, readQuery } from './messages.ts';

/** Behaviour of a scripted server; `reply` may be called never, late or more than once. */
export type OnDatagram = (query: Query, reply: (bytes: Uint8Array) => void, from: RemoteInfo) => void;
export type OnMessage = (query: Query, connection: Connection) => void;
export type Connection = {
  readonly socket: Socket;
  readonly reply: (bytes: Uint8Array) => void;
  /** As it is, without a length before it. */
  readonly raw: (...bytes: readonly number[]) => void;
};

/** Never answers. */
export const silence = (): void => {};
export const honest: OnDatagram = (query, reply) => reply(answerTo(query));
/** Answers every name with this address. */
export const saying =
  (address: string): OnDatagram =>
  (query, reply) =>
    reply(answerTo(query, { answer: [{ ...a('x', address), name: query.message.questions[0]!.name }] }));
const honestStream: OnMessage = (query, { reply }) => reply(answerTo(query));
/** The same on a connection, where nothing is sent twice because it may be lost. */
export const overTcp =
  (behaviour: OnDatagram): OnMessage =>
  (query, { reply }) =>
    behaviour(query, reply, { address: '127.0.0.1', family: 'IPv4', port: 0, size: query.bytes.length });
export const after =
  (ms: number, then: OnDatagram): OnDatagram =>
  (query, reply, from) =>
    void setTimeout(() => then(query, reply, from), ms);

/** Takes UDP and TCP at the same port of 127.0.0.1. */
export async function startUpstream(
  t: TestContext,
  {
    udp = honest,
    tcp = honestStream,
    onConnect = silence,
  }: { udp?: OnDatagram; tcp?: OnMessage; onConnect?: (socket: Socket) => void } = {},
) {
  const seen = { udp: [] as Query[], ports: [] as number[] };
  const script = { udp };
  let isOpen = true;
  const datagrams = createSocket('udp4');
  datagrams.on('message', (bytes, from) => {
    const query = readQuery(bytes);
    seen.udp.push(query);
    seen.ports.push(from.port);
    script.udp(query, (reply) => isOpen && datagrams.send(reply, from.port, from.address, () => {}), from);
  });
  const stream = await serveStreams(t, createServer(), (streams) => listenAtOnePort(streams, datagrams), {
    tcp,
    onConnect,
  });
  t.after(() => {
    isOpen = false;
    datagrams.close();
  });
  return {
    ...stream,
    text: `127.0.0.1:${stream.port}`,
    tcpText: `tcp://127.0.0.1:${stream.port}`,
    udpQueries: seen.udp,
    ports: seen.ports,
    /** Does otherwise from now on. */
    change(next: OnDatagram) {
      script.udp = next;
    },
    datagrams,
  };
}

/** DNS over TLS on 127.0.0.1. */
export const startTlsUpstream = (
  t: TestContext,
  options: TlsOptions,
  { tcp = honestStream, onConnect = silence }: { tcp?: OnMessage; onConnect?: (socket: Socket) => void } = {},
) =>
  serveStreams(
    t,
    createTlsServer({ ALPNProtocols: ['dot'], ...options }),
    listen,
    { tcp, onConnect },
    'secureConnection',
  );

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function serveStreams(
  t: TestContext,
  server: Server,
  listen: (server: Server) => Promise<unknown>,
  { tcp, onConnect }: { tcp: OnMessage; onConnect: (socket: Socket) => void },
  event: 'connection' | 'secureConnection' = 'connection',
) {
  const queries: Query[] = [];
  const sockets = new Set<Socket>();
  const counters = { connections: 0 };
  server.on(event, (socket: Socket) => {
    counters.connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    onConnect(socket);
    const connection: Connection = {
      socket,
      reply: (bytes) => void socket.write(framed(bytes)),
      raw: (...bytes) => void socket.write(Uint8Array.from(bytes)),
    };
    const read = frameReader((bytes) => {
      const query = readQuery(bytes);
      queries.push(query);
      tcp(query, connection);
    });
    socket.on('data', (chunk: Buffer) => void read(chunk));
  });
  server.on('tlsClientError', () => {});
  await listen(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, queries, sockets, connections: () => counters.connections };
}

export type OnRequest = (query: Query, response: Http2ServerResponse, request: Http2ServerRequest) => void;

export const honestHttps: OnRequest = (query, response) =>
  void response.writeHead(200, { 'content-type': 'application/dns-message' }).end(answerTo(query));

/** DNS over HTTPS on 127.0.0.1. */
export async function startHttpsUpstream(t: TestContext, options: TlsOptions, onRequest: OnRequest = honestHttps) {
  const server = createSecureServer({ ...options, allowHTTP1: false });
  const queries: Query[] = [];
  const requests: Http2ServerRequest[] = [];
  const sessions = new Set<{ destroy: () => void }>();
  const counters = { sessions: 0 };
  server.on('session', (session) => {
    counters.sessions++;
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => {});
    request.on('end', () => {
      const query = readQuery(Buffer.concat(chunks));
      queries.push(query);
      requests.push(request);
      onRequest(query, response, request);
    });
  });
  server.on('tlsClientError', () => {}).on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, queries, requests, sessions, opened: () => counters.sessions };
}

/** A TCP proxy to a server that can be cut: connections then stay open without data. */
export async function startWire(t: TestContext, to: number) {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      ends.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of ends) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of ends) socket.unpipe().pause();
    },
  };
}

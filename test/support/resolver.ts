import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { framed, frameReader } from '../../src/resolver/upstream/length-prefixed.ts';
import { temporaryFolder } from './app/temporary-folder.ts';
import type { Over } from './dig.ts';
import { type DnsService, type Home, homeOf, makeHome, startDns } from './dns.ts';

type Ending = { after(end: () => unknown): void };

/** A resolver that answers unknown clients by its first DNS server, so that a test can send any bytes. */
export async function startForEverybody(t: Ending, upstream: string, flags: readonly string[] = []): Promise<Home> {
  const data = await temporaryFolder(t);
  const first = await startDns(t, upstream, flags, { data });
  const { server, authorization } = await makeHome(first);
  await first.stop();
  return homeOf(await startDns(t, upstream, ['--unknown-clients', server, ...flags], { data }), authorization);
}

/** The result of a query: a message, no answer, a closed connection, or an HTTP status without a message. */
export type Heard =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  | { readonly kind: 'silence' | 'closed' }
  | { readonly kind: 'status'; readonly status: number };

const SILENCE: Heard = { kind: 'silence' };
const CLOSED: Heard = { kind: 'closed' };

export type AskBytes = (message: Uint8Array, patienceMs: number) => Promise<Heard>;

/**
 * Sends bytes as they are, over each transport; a socket of its own for each message, so that no answer is another's. With a device, TLS
 * and HTTPS name it.
 */
export const askersOf = (
  { ports, deviceDomain }: Pick<DnsService, 'ports'> & Partial<Pick<DnsService, 'deviceDomain'>>,
  device?: string,
): Readonly<Record<Over, AskBytes>> => ({
  udp: (message, patienceMs) => askUdp(ports.dns, message, patienceMs),
  tcp: (message, patienceMs) => askStream(connectTcp(ports.dns, '127.0.0.1'), message, patienceMs),
  dot: (message, patienceMs) =>
    askStream(
      connectTls({
        port: ports.dot,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ...(device && { servername: `${device}.${deviceDomain}` }),
      }),
      message,
      patienceMs,
    ),
  doh: (message, patienceMs) => askHttps(ports.doh, message, patienceMs, device),
});

export async function askUdp(port: number, message: Uint8Array, patienceMs: number): Promise<Heard> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const heard = new Promise<Heard>((resolve) => {
    socket.on('message', (bytes) => resolve({ kind: 'answer', bytes }));
    socket.on('error', () => resolve(CLOSED));
    setTimeout(resolve, patienceMs, SILENCE).unref();
  });
  socket.send(message);
  return heard.finally(() => socket.close());
}

function askStream(socket: Socket, message: Uint8Array, patienceMs: number): Promise<Heard> {
  const heard = new Promise<Heard>((resolve) => {
    const read = frameReader((bytes) => resolve({ kind: 'answer', bytes }));
    socket.on('data', (chunk: Buffer) => void read(chunk));
    socket.on('error', () => resolve(CLOSED)).on('close', () => resolve(CLOSED));
    setTimeout(resolve, patienceMs, SILENCE).unref();
  });
  socket.write(framed(message));
  return heard.finally(() => socket.destroy());
}

function askHttps(port: number, message: Uint8Array, patienceMs: number, device?: string): Promise<Heard> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const heard = new Promise<Heard>((resolve) => {
    session.on('error', () => resolve(CLOSED));
    const headers = {
      ':method': 'POST',
      ':path': device ? `/dns-query/${device}` : '/dns-query',
      'content-type': 'application/dns-message',
    };
    const stream = session.request(headers);
    const chunks: Buffer[] = [];
    let status = 0;
    stream.on('response', (head) => {
      status = Number(head[':status']);
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => resolve(CLOSED));
    stream.on('close', () => {
      if (status === 200) resolve({ kind: 'answer', bytes: Buffer.concat(chunks) });
      else resolve(status === 0 ? CLOSED : { kind: 'status', status });
    });
    stream.end(message);
    setTimeout(resolve, patienceMs, SILENCE).unref();
  });
  return heard.finally(() => session.destroy());
}

export const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

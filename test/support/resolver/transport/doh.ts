import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { request as requestHttps } from 'node:https';
import type { TestContext } from 'node:test';
import { type DohOptions, listenDoh } from '../../../../src/resolver/transport/doh.ts';
import type { Answers } from '../../../../src/resolver/transport/listener.ts';
import type { TcpListener } from '../../../../src/resolver/transport/tcp-listener.ts';
import { answersForTests } from './answers.ts';
import { identityForTests } from './stream.ts';

const tls = await identityForTests(['localhost', 'dns.example', '*.d.example']);

export async function startDoh(
  t: TestContext,
  options: Partial<DohOptions> = {},
  answers: Answers = answersForTests,
): Promise<TcpListener> {
  const usual = { host: '127.0.0.1', port: 0, report: () => undefined, tls, maxAge: () => 77 };
  const listener = await listenDoh({ ...usual, ...options }, answers);
  t.after(() => listener.stop());
  return listener;
}

export type Ask = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};
/** Status 0: the connection or the stream ended without one. */
export type Told = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
export type AskHttp = (t: TestContext, port: number, ask: Ask) => Promise<Told>;

const nothing: Told = { status: 0, headers: {}, body: Buffer.alloc(0) };

const askHttp1 =
  (send: typeof requestHttps): AskHttp =>
  (_t, port, { method = 'GET', path = '/', headers = {}, body }) =>
    new Promise((resolve) => {
      const options = { host: '127.0.0.1', port, method, path, headers, servername: 'dns.example', agent: false };
      const request = send({ ...options, rejectUnauthorized: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      request.on('error', () => resolve(nothing));
      request.end(body);
    });

export const askHttps1 = askHttp1(requestHttps);
export const askPlain = askHttp1(requestHttp as typeof requestHttps);

export async function http2Client(t: TestContext, port: number): Promise<ClientHttp2Session> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: 'dns.example' });
  session.on('error', () => undefined);
  t.after(() => session.destroy());
  await once(session, 'remoteSettings');
  return session;
}

export const askHttp2: AskHttp = async (t, port, ask) => {
  const session = await http2Client(t, port);
  const told = await askOn(session, ask);
  session.destroy();
  return told;
};

export function askOn(
  session: ClientHttp2Session,
  { method = 'GET', path = '/', headers = {}, body }: Ask,
): Promise<Told> {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: !body });
    let head: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => {
      head = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      const status = Number(head[':status'] ?? 0);
      resolve({ status, headers: head, body: Buffer.concat(chunks) });
    });
    if (body) stream.end(body);
  });
}

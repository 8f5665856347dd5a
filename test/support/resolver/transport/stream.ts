import { connect as connectTcp, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { createFraming } from '../../../../src/resolver/transport/framing.ts';
import { makeSelfSigned } from '../../../../src/resolver/transport/make-self-signed.ts';
import type { TlsIdentity } from '../../../../src/resolver/transport/tls-listener.ts';

export const identityForTests = async (
  names: readonly string[] = ['localhost', '*.d.example'],
): Promise<TlsIdentity> => {
  const material = await makeSelfSigned(names, ['127.0.0.1', '::1'], Date.now());
  return { current: () => material, onChange: () => () => undefined };
};

export type Client = {
  readonly socket: Socket;
  /** Sends queries, each with its length before it, in one piece. */
  readonly ask: (...messages: readonly Uint8Array[]) => void;
  /** The next answer, or undefined when the connection ends before it comes. */
  readonly next: () => Promise<Buffer | undefined>;
  readonly isClosed: () => boolean;
  readonly closed: Promise<void>;
};

export const framed = (...messages: readonly Uint8Array[]): Buffer =>
  Buffer.concat(messages.flatMap((message) => [Buffer.from([message.length >> 8, message.length & 0xff]), message]));

type Where = { readonly port: number; readonly host?: string; readonly localAddress?: string };

export async function tcpClient(t: TestContext, { port, host = '127.0.0.1', localAddress }: Where): Promise<Client> {
  const socket = connectTcp({ port, host, ...(localAddress ? { localAddress } : {}) });
  const client = speak(t, socket);
  await Promise.race([happened(socket, 'connect'), client.closed]);
  return client;
}

export async function tlsClient(t: TestContext, options: ConnectionOptions): Promise<Client> {
  const socket = connectTls({ host: '127.0.0.1', rejectUnauthorized: false, ...options });
  const client = speak(t, socket);
  await Promise.race([happened(socket, 'secureConnect'), client.closed]);
  return client;
}

const happened = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve) => void socket.once(event, resolve));

function speak(t: TestContext, socket: Socket): Client {
  t.after(() => socket.destroy());
  const answers: Buffer[] = [];
  const waiting: ((answer: Buffer | undefined) => void)[] = [];
  let isClosed = false;
  const framing = createFraming((bytes, at, length) => {
    const answer = Buffer.from(bytes.subarray(at, at + length));
    const reader = waiting.shift();
    if (reader) reader(answer);
    else answers.push(answer);
    return true;
  });
  socket.on('data', (chunk) => framing.feed(chunk));
  // How a connection ends is seen by its being closed.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      for (const reader of waiting) reader(undefined);
      resolve();
    });
  });
  return {
    socket,
    ask: (...messages) => void socket.write(framed(...messages)),
    next: () =>
      new Promise((resolve) => {
        const answer = answers.shift();
        if (answer || isClosed) resolve(answer);
        else waiting.push(resolve);
      }),
    isClosed: () => isClosed,
    closed,
  };
}

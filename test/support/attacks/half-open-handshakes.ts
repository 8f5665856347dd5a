import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

export type HalfOpenTarget = {
  readonly port: number;
  readonly host?: string;
  /** Source addresses; connections are opened from each in turn. */
  readonly sources: readonly string[];
  readonly connections: number;
  /** `part`: 11 bytes of a ClientHello. `hello`: all of it, and nothing after the server's reply. */
  readonly sends: 'part' | 'hello';
};

const PART_BYTES = 11;
const REOPEN_MS = 200;

/** Keeps TLS handshakes half open: a connection that the server closes is opened again. */
export async function startHalfOpenHandshakes(target: HalfOpenTarget) {
  const { port, host = '127.0.0.1', sources, connections, sends } = target;
  const hello = await clientHello();
  const bytes = sends === 'part' ? hello.subarray(0, PART_BYTES) : hello;
  const sockets = new Set<Socket>();
  let opened = 0;
  let isStopped = false;

  const open = (slot: number): void => {
    if (isStopped) return;
    const socket = connect({ port, host, localAddress: sources[slot % sources.length]! }, () => {
      opened++;
      socket.write(bytes);
    });
    sockets.add(socket);
    socket.resume();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, REOPEN_MS, slot).unref();
    });
  };
  for (let slot = 0; slot < connections; slot++) open(slot);

  return {
    opened: () => opened,
    async stop(): Promise<void> {
      isStopped = true;
      const open = [...sockets].filter(({ closed }) => !closed);
      const closed = open.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
      for (const socket of open) socket.destroy();
      await Promise.all(closed);
    },
  };
}

/** `count` source addresses, each in a /24 of its own, of the loopback network. */
export const loopbackNetworks = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, index) => `127.${100 + ((first + index) >> 8)}.${(first + index) & 0xff}.7`);

/** The bytes that a TLS client sends first. */
async function clientHello(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    resolve(chunk);
    done();
  };
  const client = connectTls({ socket: new Duplex({ read: () => undefined, write }), servername: 'dns.example' });
  client.on('error', () => undefined);
  const hello = await promise;
  client.destroy();
  return hello;
}

import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { startConnections } from './open-connections.ts';

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

/** Keeps TLS handshakes half open; connections closed by the server are reopened. */
export async function startHalfOpenHandshakes({ sends, ...target }: HalfOpenTarget) {
  const hello = await clientHello();
  return startConnections({ ...target, bytes: sends === 'part' ? hello.subarray(0, PART_BYTES) : hello });
}

/** `count` source addresses of the loopback network, each in a different /24. */
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

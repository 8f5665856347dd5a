import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';
// Below the ephemeral range and the ports of upstream queries (from 10,240): neither the system nor a resolver takes these.
const [FIRST, COUNT] = [3000, 7000];

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Finds a port that both can listen on: a port free for TCP may be taken for UDP. */
export async function listenAtOnePort(streams: Server, datagrams: Socket, wanted = 0): Promise<number> {
  for (;;) {
    streams.listen(wanted, HOST);
    await once(streams, 'listening');
    const { port } = streams.address() as AddressInfo;
    datagrams.bind(port, HOST);
    try {
      await once(datagrams, 'listening');
      return port;
    } catch (error) {
      if (wanted !== 0 || !isTaken(error)) throw error;
      streams.close();
      await once(streams, 'close');
    }
  }
}

/** A free port outside the ranges that the system and resolvers use, for programs that cannot use port 0 and for restarted servers. */
export async function freePort(first = FIRST, count = COUNT): Promise<number> {
  for (;;) {
    const [streams, datagrams] = [createServer(), createSocket('udp4')];
    const port = await listenAtOnePort(streams, datagrams, first + randomInt(count)).catch((error) => {
      if (!isTaken(error)) throw error;
    });
    const isOpen = streams.listening;
    streams.close();
    datagrams.close();
    if (isOpen) await once(streams, 'close');
    if (port !== undefined) return port;
  }
}

import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';
// The system gives these to nobody who does not ask for one of them.
const [FIRST, COUNT] = [15_000, 15_000];

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Lets both listen at one port, whichever both can have: one that is free over TCP may be somebody's over UDP. */
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

/** A port that nobody has, nor is given by the system, for programs that cannot choose one. */
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

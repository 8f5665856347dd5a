import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export type WindowUpdateTarget = {
  /** The DoH port. */
  readonly port: number;
  readonly connections?: number;
  readonly source?: string;
};

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
// Length 4, type 8, no flags, stream 0, increment 1 (RFC 9113, section 6.9).
const WINDOW_UPDATE = Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
const FRAMES_PER_WRITE = 1000;

/** Sends WINDOW_UPDATE frames of the connection and nothing else, as fast as the server reads them. */
export async function startWindowUpdates({ port, connections = 4, source = '127.66.7.6' }: WindowUpdateTarget) {
  const frames = Buffer.concat(Array<Buffer>(FRAMES_PER_WRITE).fill(WINDOW_UPDATE));
  const sockets = new Set<TLSSocket>();
  let sent = 0;
  let ended = 0;
  let isStopped = false;
  const flood = async (): Promise<void> => {
    while (!isStopped) {
      const tcp = connectTcp({ port, host: '127.0.0.1', localAddress: source });
      const tls = connectTls({ socket: tcp, ALPNProtocols: ['h2'], rejectUnauthorized: false });
      sockets.add(tls);
      tls.on('error', () => {}).resume();
      const closed = once(tls, 'close').catch(() => {});
      tls.write(Buffer.concat([PREFACE, EMPTY_SETTINGS]));
      while (!isStopped && !tls.destroyed) {
        sent += FRAMES_PER_WRITE;
        if (!tls.write(frames)) await Promise.race([once(tls, 'drain').catch(() => {}), closed]);
        // Yields to other work in this process.
        await new Promise(setImmediate);
      }
      tls.destroy();
      await closed;
      sockets.delete(tls);
      ended++;
    }
  };
  const floods = Promise.all(Array.from({ length: connections }, flood));
  return {
    sent: (): number => sent,
    /** Connections that the server closed. */
    ended: (): number => ended,
    stop: async (): Promise<void> => {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      await floods;
    },
  };
}

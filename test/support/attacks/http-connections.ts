import { connect, type Socket } from 'node:net';

type Target = {
  readonly port: number;
  readonly count: number;
  readonly host?: string;
  /** Local address that the connections come from. */
  readonly localAddress?: string;
  /** A request to compile is sent on each and never finished, so that no connection is idle. */
  readonly isBusy?: boolean;
};

export type HttpConnections = {
  /** Number of open connections. */
  readonly open: () => number;
  /** Number of connections that the server has closed or not accepted. */
  readonly closed: () => number;
  readonly stop: () => Promise<void>;
};

// The server says `100 Continue` once it has begun to work on the request.
const UNFINISHED = [
  'POST /compile HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 99',
  'Expect: 100-continue',
  '',
  '{',
].join('\r\n');

/** Opens many HTTP connections from one address and leaves them open. */
export async function startHttpConnections({
  port,
  count,
  host = '127.0.0.1',
  localAddress = '127.0.0.2',
  isBusy = false,
}: Target): Promise<HttpConnections> {
  const sockets = new Set<Socket>();
  let closed = 0;
  const opened = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect({ port, host, localAddress });
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('connect', () => {
        if (isBusy) socket.write(UNFINISHED);
        else resolve();
      })
      .once('close', () => {
        if (sockets.delete(socket)) closed++;
        resolve();
      })
      .on('data', () => resolve());
    return promise;
  });
  await Promise.all(opened);
  return {
    open: () => sockets.size,
    closed: () => closed,
    stop: async () => {
      const left = [...sockets];
      sockets.clear();
      await Promise.all(left.map((socket) => new Promise((resolve) => void socket.once('close', resolve).destroy())));
    },
  };
}

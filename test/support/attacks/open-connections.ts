import { connect, type Socket } from 'node:net';

export type ConnectionsTarget = {
  readonly port: number;
  readonly host?: string;
  /** Source addresses; connections are opened from each in turn. */
  readonly sources: readonly string[];
  readonly connections: number;
  /** All that is sent on each. */
  readonly bytes: Uint8Array;
};

const REOPEN_MS = 200;

/** Keeps this number of connections open that send only a few bytes; connections closed by the server are reopened. */
export function startConnections(target: ConnectionsTarget) {
  const { port, host = '127.0.0.1', sources, connections, bytes } = target;
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
    stop: async (): Promise<void> => {
      isStopped = true;
      const remaining = [...sockets].filter(({ closed }) => !closed);
      const closed = remaining.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
      for (const socket of remaining) socket.destroy();
      await Promise.all(closed);
    },
  };
}

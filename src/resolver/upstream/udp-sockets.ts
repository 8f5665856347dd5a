import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { HEADER_LENGTH } from '../../dns/numbers.ts';
import type { Random } from './random.ts';

/** A query in flight on a socket. */
type WaitingDatagram = {
  /** A packet with the query's id. */
  readonly receive: (packet: Uint8Array) => void;
  /** A packet that does not belong to any query of this socket. */
  readonly stray: () => void;
  readonly fail: (error: NodeJS.ErrnoException) => void;
};

export type UdpSockets = {
  /** Sends from a random port; returns a function that stops waiting. */
  readonly send: (query: (id: number) => Uint8Array, waiting: WaitingDatagram) => () => void;
  readonly open: () => number;
  readonly stop: () => void;
};

type Line = {
  readonly socket: Socket;
  readonly openedAt: number;
  readonly waiting: Map<number, WaitingDatagram>;
  /** Packets to send once the socket is connected; undefined afterwards. */
  unsent: Uint8Array[] | undefined;
  used: number;
  error: NodeJS.ErrnoException | undefined;
};

// Up to this number, each query has its own port. Above it, queries share ports, so that a silent upstream does not use up all descriptors.
// No port is shared for long, because an attacker who finds it only has to guess the id.
const MAX_SOCKETS = 256;
const MAX_QUERIES = 100;
const MAX_AGE_MS = 10_000;

// Services commonly listen on ports below this; random ports must not take them.
const FIRST_PORT = 10_240;
const MAX_BINDS = 8;

/** Sockets to one upstream, connected so that the kernel drops packets from other addresses. */
export function udpSockets({
  address,
  port,
  now,
  random,
}: {
  address: string;
  port: number;
  now: () => number;
  random: Random;
}): UdpSockets {
  const lines = new Set<Line>();
  const isV6 = isIPv6(address);
  const lookup = literalOnly(isV6 ? 6 : 4);

  const shared = (): Line | undefined => {
    if (lines.size < MAX_SOCKETS) return undefined;
    const youngEnough = now() - MAX_AGE_MS;
    const fit = [...lines].filter(({ used, openedAt }) => used < MAX_QUERIES && openedAt > youngEnough);
    return fit[Math.floor(random.fraction() * fit.length)];
  };

  function openLine(): Line {
    const socket = createSocket({ type: isV6 ? 'udp6' : 'udp4', lookup });
    const line: Line = { socket, openedAt: now(), waiting: new Map(), unsent: [], used: 0, error: undefined };
    lines.add(line);
    let binds = 0;
    const bind = (): void => {
      binds++;
      // Let the kernel choose the port only if many ports are in use.
      const at = binds < MAX_BINDS ? FIRST_PORT + Math.floor(random.fraction() * (65_536 - FIRST_PORT)) : 0;
      socket.bind({ port: at, exclusive: true });
    };
    socket.on('message', (packet) => hear(line, packet));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.syscall === 'bind' && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
      if (isTaken && binds < MAX_BINDS) bind();
      else fail(line, error);
    });
    socket.once('listening', () => socket.connect(port, address, (error?: Error) => begin(line, error)));
    bind();
    return line;
  }

  // Node's types omit that `connect` passes an error.
  function begin(line: Line, error: Error | undefined): void {
    if (!lines.has(line)) return;
    if (error) {
      fail(line, error);
      return;
    }
    for (const bytes of line.unsent ?? []) transmit(line, bytes);
    line.unsent = undefined;
  }

  function transmit(line: Line, bytes: Uint8Array): void {
    line.socket.send(bytes, (error) => {
      if (error) fail(line, error);
    });
  }

  function hear({ waiting }: Line, packet: Uint8Array): void {
    const one = packet.length < HEADER_LENGTH ? undefined : waiting.get((packet[0]! << 8) | packet[1]!);
    if (one) one.receive(packet);
    else for (const other of waiting.values()) other.stray();
  }

  function fail(line: Line, error: NodeJS.ErrnoException): void {
    const all = [...line.waiting.values()];
    line.error = error;
    close(line);
    for (const one of all) one.fail(error);
  }

  function close(line: Line): void {
    if (!lines.delete(line)) return;
    line.waiting.clear();
    line.socket.close();
  }

  return {
    send(query, waiting) {
      const line = shared() ?? openLine();
      if (line.error) {
        const { error } = line;
        queueMicrotask(() => waiting.fail(error));
        return () => {};
      }
      let id = random.short();
      while (line.waiting.has(id)) id = random.short();
      line.waiting.set(id, waiting);
      line.used++;
      const bytes = query(id);
      if (line.unsent) line.unsent.push(bytes);
      else transmit(line, bytes);
      return () => {
        if (line.waiting.get(id) !== waiting) return;
        line.waiting.delete(id);
        if (line.waiting.size === 0) close(line);
      };
    },
    open: () => lines.size,
    stop() {
      for (const line of lines) close(line);
    },
  };
}

/** Resolves literal addresses only, synchronously, because names are resolved earlier. */
const literalOnly =
  (family: 4 | 6) =>
  (
    address: string,
    _options: unknown,
    callback: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
  ): void =>
    callback(null, address, family);

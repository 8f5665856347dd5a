import { parseIp, unmapped } from '../../kit/ip-address.ts';
import type { Libc } from '../../platform/libc.ts';
import { AF_INET, AF_INET6 } from '../transport/udp-layout.ts';
import { sockaddr } from '../transport/udp-socket.ts';
import type { Random } from '../upstream/random.ts';

/** Sockets to one upstream, each on a random port and connected, so that the kernel drops packets from other addresses. */
export type SocketPool = {
  /** Index of a random socket, opened if necessary; -1 if none is available. */
  readonly pick: (nowMs: number) => number;
  readonly fdOf: (index: number) => number;
  /** Call `begin` when a query is sent on the socket, and `end` when it is finished. */
  readonly begin: (index: number) => void;
  readonly end: (index: number) => void;
  /** Closes old sockets without queries in flight. Call it about once a second. */
  readonly closeOld: (nowMs: number) => void;
  readonly open: () => number;
  readonly close: () => void;
};

// An attacker who finds an open port only has to guess the id, so no port is used for long.
const MAX_USES = 128;
const MAX_AGE_MS = 30_000;
const PICKS = 8;

// Services commonly listen on ports below this; random ports must not take them.
const FIRST_PORT = 10_240;
const MAX_BINDS = 8;

const SOCK_DGRAM = 2;
const SOCK_FLAGS = 0o2004000;
const NO_SOCKET = -1;

export type SocketPoolOptions = {
  readonly address: string;
  readonly port: number;
  readonly size: number;
  readonly random: Random;
  /** Called with each new descriptor. */
  readonly opened: (fd: number, index: number) => boolean;
};

export function openSocketPool(libc: Libc, { address, port, size, random, opened }: SocketPoolOptions): SocketPool {
  const ip = unmapped(parseIp(address.split('%')[0]!)!);
  const family = ip.family === 'V4' ? 'v4' : 'v6';
  const remote = sockaddr(family, ip.bytes, port);
  const anywhere = ip.bytes.map(() => 0);
  const fds = new Int32Array(size).fill(NO_SOCKET);
  const uses = new Uint16Array(size);
  const inFlight = new Uint16Array(size);
  const openedAt = new Float64Array(size);
  let count = 0;

  const bind = (fd: number): boolean => {
    for (let tries = 1; tries <= MAX_BINDS; tries++) {
      // Let the kernel choose the port only if many ports are in use.
      const at = tries < MAX_BINDS ? FIRST_PORT + Math.floor(random.fraction() * (65_536 - FIRST_PORT)) : 0;
      const local = sockaddr(family, anywhere, at);
      if (libc.bind(fd, local, local.length) === 0) return true;
    }
    return false;
  };

  const openAt = (index: number, nowMs: number): boolean => {
    const fd = libc.socket(family === 'v4' ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_FLAGS, 0);
    if (fd < 0) return false;
    if (!bind(fd) || libc.connect(fd, remote, remote.length) !== 0 || !opened(fd, index)) {
      libc.close(fd);
      return false;
    }
    fds[index] = fd;
    uses[index] = 0;
    openedAt[index] = nowMs;
    count += 1;
    return true;
  };

  const closeAt = (index: number): void => {
    libc.close(fds[index]!);
    fds[index] = NO_SOCKET;
    count -= 1;
  };

  const isOld = (index: number, nowMs: number): boolean =>
    uses[index]! >= MAX_USES || nowMs - openedAt[index]! > MAX_AGE_MS;

  return {
    pick(nowMs) {
      for (let tries = 0; tries < PICKS; tries++) {
        const index = random.short() % size;
        if (fds[index] !== NO_SOCKET && isOld(index, nowMs)) {
          // Queries in flight still get their replies.
          if (inFlight[index] !== 0) continue;
          closeAt(index);
        }
        if (fds[index] !== NO_SOCKET || openAt(index, nowMs)) return index;
        return -1;
      }
      return -1;
    },
    fdOf: (index) => fds[index]!,
    begin(index) {
      uses[index]! += 1;
      inFlight[index]! += 1;
    },
    end(index) {
      inFlight[index]! -= 1;
    },
    closeOld(nowMs) {
      for (let index = 0; index < size; index++)
        if (fds[index] !== NO_SOCKET && inFlight[index] === 0 && isOld(index, nowMs)) closeAt(index);
    },
    open: () => count,
    close() {
      for (let index = 0; index < size; index++) if (fds[index] !== NO_SOCKET) closeAt(index);
    },
  };
}

import { parseIp, unmapped } from '../../kit/ip-address.ts';
import type { Libc } from '../../platform/libc.ts';
import type { Endpoint } from './listener.ts';
import { AF_INET, AF_INET6, type Family, SOCKADDR_LENGTH } from './udp-layout.ts';

const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;

// Option levels and names from the Linux headers.
const SOCKET = 1;
const IP = 0;
const IPV6 = 41;
const options = {
  receiveBuffer: [SOCKET, 8],
  reusePort: [SOCKET, 15],
  receiveTimeout: [SOCKET, 20],
  receiveBufferForced: [SOCKET, 33],
  packetInfo: [IP, 8],
  mtuDiscover: [IP, 10],
  v6MtuDiscover: [IPV6, 23],
  v6Only: [IPV6, 26],
  v6PacketInfo: [IPV6, 49],
} as const satisfies Record<string, readonly [level: number, name: number]>;

// Ignores path MTU messages, because forged ones would make us send fragments, which can be poisoned.
const PMTUDISC_OMIT = 5;
const RECEIVE_BUFFER = 4 << 20;
/** Interval at which a thread that waits for packets reads its control messages. */
export const RECEIVE_TIMEOUT_MS = 50;

export type UdpSocket = { readonly fd: number; readonly family: Family; readonly address: Endpoint };

/** Throws like node:dgram: an Error with a `code` such as EADDRINUSE or EACCES. */
export function openUdpSocket(libc: Libc, endpoint: Endpoint & { readonly reusePort: boolean }): UdpSocket {
  const [host = '', zone] = endpoint.host.split('%');
  const parsed = parseIp(host);
  if (!parsed) throw new Error(`not an IP address: ${endpoint.host}`);
  const ip = unmapped(parsed);
  const family = ip.family === 'V4' ? 'v4' : 'v6';
  const fd = libc.socket(family === 'v4' ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const must = (call: string, result: number): void => {
    if (result >= 0) return;
    const code = libc.lastError();
    if (fd >= 0) libc.close(fd);
    const { port } = endpoint;
    throw Object.assign(new Error(`${call} ${code} ${endpoint.host}:${port}`), { code, syscall: call, port });
  };
  must('socket', fd);
  const set = (option: readonly [number, number], value: Uint8Array): number =>
    libc.setsockopt(fd, option[0], option[1], value, value.length);

  if (endpoint.reusePort) must('setsockopt', set(options.reusePort, int32(1)));
  must('setsockopt', set(options.receiveTimeout, timeval(RECEIVE_TIMEOUT_MS)));
  if (family === 'v6') must('setsockopt', set(options.v6Only, int32(isAny(ip.bytes) ? 0 : 1)));
  must('setsockopt', set(family === 'v4' ? options.packetInfo : options.v6PacketInfo, int32(1)));
  // These three are optional: errors do not prevent answers.
  if (set(options.receiveBufferForced, int32(RECEIVE_BUFFER)) < 0) set(options.receiveBuffer, int32(RECEIVE_BUFFER));
  set(options.mtuDiscover, int32(PMTUDISC_OMIT));
  if (family === 'v6') set(options.v6MtuDiscover, int32(PMTUDISC_OMIT));

  const address = sockaddr(family, ip.bytes, endpoint.port, zone === undefined ? 0 : interfaceIndex(libc, zone));
  must('bind', libc.bind(fd, address, address.length));
  must('getsockname', libc.getsockname(fd, address, int32(address.length)));
  return { fd, family, address: { host: endpoint.host, port: (address[2]! << 8) | address[3]! } };
}

const isAny = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0);

const interfaceIndex = (libc: Libc, zone: string): number =>
  /^\d+$/.test(zone) ? Number(zone) : libc.ifNameToIndex(zone);

const int32 = (value: number): Uint8Array => new Uint8Array(Int32Array.of(value).buffer);

const timeval = (ms: number): Uint8Array => {
  const seconds = Math.floor(ms / 1000);
  return new Uint8Array(BigInt64Array.of(BigInt(seconds), BigInt((ms - seconds * 1000) * 1000)).buffer);
};

export function sockaddr(family: Family, ip: readonly number[], port: number, scope = 0): Uint8Array {
  const bytes = new Uint8Array(SOCKADDR_LENGTH[family]);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, family === 'v4' ? AF_INET : AF_INET6, true);
  view.setUint16(2, port);
  bytes.set(ip, family === 'v4' ? 4 : 8);
  if (family === 'v6') view.setUint32(24, scope, true);
  return bytes;
}

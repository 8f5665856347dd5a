import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { getSystemErrorName } from 'node:util';
import type * as Koffi from 'koffi';

// Addresses are numbers: koffi then converts nothing, and user-space addresses are far below 2^53.
type Address = number;

export type Libc = {
  readonly socket: (family: number, type: number, protocol: number) => number;
  readonly bind: (fd: number, address: Uint8Array, length: number) => number;
  readonly connect: (fd: number, address: Uint8Array, length: number) => number;
  readonly getsockname: (fd: number, address: Uint8Array, length: Uint8Array) => number;
  readonly setsockopt: (fd: number, level: number, name: number, value: Uint8Array, length: number) => number;
  readonly recvmmsg: (fd: number, headers: Address, count: number, flags: number, timeout: Address) => number;
  readonly sendmmsg: (fd: number, headers: Address, count: number, flags: number) => number;
  readonly sendmsg: (fd: number, header: Address, flags: number) => number;
  readonly send: (fd: number, data: Address, length: number, flags: number) => number;
  readonly recv: (fd: number, into: Address, room: number, flags: number) => number;
  readonly read: (fd: number, into: Address, room: number) => number;
  readonly write: (fd: number, data: Address, length: number) => number;
  readonly eventfd: (count: number, flags: number) => number;
  readonly close: (fd: number) => number;
  readonly epollCreate: (flags: number) => number;
  readonly epollControl: (epoll: number, operation: number, fd: number, event: Address) => number;
  readonly epollWait: (epoll: number, events: Address, most: number, timeoutMs: number) => number;
  readonly usleep: (microseconds: number) => number;
  readonly prctl: (option: number, ...values: [number, number, number, number]) => number;
  readonly setScheduler: (thread: number, policy: number, parameters: Uint8Array) => number;
  readonly setLimit: (resource: number, limits: Uint8Array) => number;
  readonly ifNameToIndex: (name: string) => number;
  /** The name of the last error in this thread: EAGAIN, ENOBUFS. */
  readonly lastError: () => string;
  readonly addressOf: (bytes: Uint8Array) => Address;
  readonly madvise: (address: Address, length: number, advice: number) => number;
  /** Returns memory that was freed, but is cached by the C library, to the system. */
  readonly trim: () => void;
};

let opened: Libc | string | undefined;

const PR_SET_NO_NEW_PRIVS = 38;

/** Applies to this thread and those that it starts. Returns the reason if it failed. */
export function setNoNewPrivileges(): string | undefined {
  const functions = libc();
  if (typeof functions === 'string') return functions;
  return functions.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) === 0 ? undefined : functions.lastError();
}

/** Functions of the C library, or the reason why they cannot be called. */
export function libc(): Libc | string {
  opened ??= load();
  return opened;
}

function load(): Libc | string {
  if (process.platform !== 'linux') return `batches of packets are read on Linux only, and this is ${process.platform}`;
  // udp-layout.ts is for 64-bit little-endian Linux.
  if (process.arch !== 'x64' && process.arch !== 'arm64') return `the processor is ${process.arch}, not x64 or arm64`;
  if (endianness() !== 'LE') return 'the processor stores the high byte first';
  try {
    return declare(createRequire(import.meta.url)('koffi') as typeof Koffi);
  } catch (error) {
    return `the package koffi cannot be loaded: ${(error as Error).message.split('\n')[0]}`;
  }
}

function declare(koffi: typeof Koffi): Libc {
  // null: the running program, which includes its C library (glibc or musl).
  const library = koffi.load(null);
  const bytes = 'void *';
  return {
    socket: library.func('socket', 'int', ['int', 'int', 'int']),
    bind: library.func('bind', 'int', ['int', bytes, 'uint']),
    connect: library.func('connect', 'int', ['int', bytes, 'uint']),
    getsockname: library.func('getsockname', 'int', ['int', bytes, bytes]),
    setsockopt: library.func('setsockopt', 'int', ['int', 'int', 'int', bytes, 'uint']),
    recvmmsg: library.func('recvmmsg', 'int', ['int', 'uintptr_t', 'uint', 'int', 'uintptr_t']),
    sendmmsg: library.func('sendmmsg', 'int', ['int', 'uintptr_t', 'uint', 'int']),
    sendmsg: library.func('sendmsg', 'intptr_t', ['int', 'uintptr_t', 'int']),
    send: library.func('send', 'intptr_t', ['int', 'uintptr_t', 'size_t', 'int']),
    recv: library.func('recv', 'intptr_t', ['int', 'uintptr_t', 'size_t', 'int']),
    epollCreate: library.func('epoll_create1', 'int', ['int']),
    epollControl: library.func('epoll_ctl', 'int', ['int', 'int', 'int', 'uintptr_t']),
    epollWait: library.func('epoll_wait', 'int', ['int', 'uintptr_t', 'int', 'int']),
    read: library.func('read', 'intptr_t', ['int', 'uintptr_t', 'size_t']),
    write: library.func('write', 'intptr_t', ['int', 'uintptr_t', 'size_t']),
    eventfd: library.func('eventfd', 'int', ['uint', 'int']),
    close: library.func('close', 'int', ['int']),
    usleep: library.func('usleep', 'int', ['uint']),
    prctl: library.func('prctl', 'int', ['int', 'ulong', 'ulong', 'ulong', 'ulong']),
    setScheduler: library.func('sched_setscheduler', 'int', ['int', 'int', bytes]),
    setLimit: library.func('setrlimit', 'int', ['int', bytes]),
    ifNameToIndex: library.func('if_nametoindex', 'uint', ['str']),
    lastError: () => getSystemErrorName(-koffi.errno()),
    addressOf: (buffer) => Number(koffi.address(buffer)),
    madvise: library.func('madvise', 'int', ['uintptr_t', 'size_t', 'int']),
    trim: trimOf(library),
  };
}

/** Only glibc has this function. */
function trimOf(library: ReturnType<typeof Koffi.load>): () => void {
  try {
    const trim = library.func('malloc_trim', 'int', ['size_t']) as (pad: number) => number;
    return () => void trim(0);
  } catch {
    return () => undefined;
  }
}

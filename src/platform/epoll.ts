import type { Libc } from './libc.ts';

/** Waits for data on many sockets at once (epoll, level-triggered). */
export type Epoll = {
  /** `tag`: value that `tagAt` returns for this descriptor. */
  readonly add: (fd: number, tag: number) => boolean;
  /** Number of descriptors with data; 0 after the timeout. */
  readonly wait: (timeoutMs: number) => number;
  readonly tagAt: (index: number) => number;
  readonly close: () => void;
};

const EPOLL_CLOEXEC = 0o2000000;
const EPOLL_CTL_ADD = 1;
const EPOLLIN = 1;

// struct epoll_event is packed on x86-64 only.
const layout = process.arch === 'x64' ? { size: 3, tag: 1 } : { size: 4, tag: 2 };

/** Closed descriptors are removed automatically. */
export function openEpoll(libc: Libc, most: number): Epoll {
  const fd = libc.epollCreate(EPOLL_CLOEXEC);
  if (fd < 0) throw new Error(`epoll_create1 ${libc.lastError()}`);
  const events = new Uint32Array(new ArrayBuffer(most * layout.size * 4));
  const event = new Uint32Array(new ArrayBuffer(layout.size * 4));
  const address = {
    events: libc.addressOf(new Uint8Array(events.buffer)),
    event: libc.addressOf(new Uint8Array(event.buffer)),
  };
  return {
    add(other, tag) {
      event[0] = EPOLLIN;
      event[layout.tag] = tag;
      return libc.epollControl(fd, EPOLL_CTL_ADD, other, address.event) === 0;
    },
    wait: (timeoutMs) => Math.max(0, libc.epollWait(fd, address.events, most, timeoutMs)),
    tagAt: (index) => events[index * layout.size + layout.tag]!,
    close: () => void libc.close(fd),
  };
}

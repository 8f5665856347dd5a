import { type Libc, libc } from '../platform/libc.ts';
import { collectRelayed, readRelayed } from '../resolver/forwarder/relay-messages.ts';
import type { Upstreams } from '../resolver/upstream/open-upstreams.ts';
import type { ToUdp } from './thread-messages.ts';
import type { RelayMessage } from './udp-messages.ts';

/** Sends the queries of a UDP thread over the connections of this thread, and the replies back, all of one turn of the event loop at once. */
export function relayQueries(upstreams: Pick<Upstreams, 'relay'>, send: (message: ToUdp) => void) {
  const replies = collectRelayed();
  let wakeFd: number | undefined;
  const flush = (): void => {
    const packed = replies.take();
    if (!packed) return;
    send({ kind: 'relayed', packed });
    if (wakeFd !== undefined) wake(wakeFd);
  };
  return (message: RelayMessage): void => {
    ({ wakeFd } = message);
    readRelayed(message.packed, ({ upstream, exchange, generation, message: query }) =>
      upstreams.relay(upstream, query, (reply = NO_REPLY) => {
        if (replies.isEmpty()) setImmediate(flush);
        replies.add({ upstream, exchange, generation, message: reply });
      }),
    );
  };
}

const NO_REPLY = new Uint8Array(0);

let signal: { readonly calls: Libc; readonly bytes: Uint8Array; readonly address: number } | undefined;

/** Ends the wait of all UDP threads. */
export function wakeUdpThreads(wakeFds: SharedArrayBuffer): void {
  const fds = new Int32Array(wakeFds);
  for (let thread = 0; thread < fds.length; thread++) {
    const fd = Atomics.load(fds, thread);
    if (fd > 0) wake(fd);
  }
}

/** Ends the wait of the UDP thread, which may be blocked in a system call. */
function wake(fd: number): void {
  signal ??= createSignal();
  signal?.calls.write(fd, signal.address, signal.bytes.length);
}

function createSignal(): typeof signal {
  const calls = libc();
  if (typeof calls === 'string') return undefined;
  const bytes = new Uint8Array(BigUint64Array.of(1n).buffer);
  return { calls, bytes, address: calls.addressOf(bytes) };
}

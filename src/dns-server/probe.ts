import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { Endpoint } from '../resolver/transport/listener.ts';

/** Opcode STATUS without a question: answered to any client, by any thread, and never logged. */
const PROBE = Uint8Array.from([0x5a, 0x5a, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const EVERY_MS = 3000;
const TIMEOUT_MS = 2000;
/** One packet may be lost. */
const FAILURES = 2;

export type ProbeDeps = {
  /** Address of plain DNS; undefined if it is off or requires a PROXY header. */
  readonly plain: Endpoint | undefined;
  /** Resolves when the resolver thread reads its next message. */
  readonly ping: () => Promise<unknown>;
  readonly onChange: (isAnswering: boolean) => void;
  readonly everyMs?: number;
  readonly timeoutMs?: number;
};

/** Queries the resolver every few seconds, like a client. */
export function openProbe({ plain, ping, onChange, everyMs = EVERY_MS, timeoutMs = TIMEOUT_MS }: ProbeDeps) {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const probe = async (): Promise<void> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const probes = plain ? [askUdp(plain, signal), askTcp(plain, signal)] : [];
    const answers = await Promise.allSettled([inTime(ping(), signal), ...probes]);
    if (isStopped) return;
    const before = failures >= FAILURES;
    failures = answers.every(({ status }) => status === 'fulfilled') ? 0 : failures + 1;
    const after = failures >= FAILURES;
    if (before !== after) onChange(!after);
    timer = setTimeout(() => void probe(), everyMs).unref();
  };
  timer = setTimeout(() => void probe(), everyMs).unref();

  return {
    isAnswering: (): boolean => failures < FAILURES,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const anywhere: Readonly<Record<string, string>> = { '::': '::1', '0.0.0.0': '127.0.0.1' };
const reachable = ({ host, port }: Endpoint): Endpoint => ({ host: anywhere[host] ?? host, port });

/** From a new port each time: the port selects the UDP thread that answers. */
async function askUdp(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const { host, port } = reachable(endpoint);
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const answered = new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
    socket.send(PROBE, port, host);
  });
  return inTime(answered, signal).finally(() => socket.close());
}

async function askTcp(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const socket = connect(reachable(endpoint));
  const answered = new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed without an answer')));
    socket.write(Uint8Array.from([0, PROBE.length, ...PROBE]));
  });
  return inTime(answered, signal).finally(() => socket.destroy());
}

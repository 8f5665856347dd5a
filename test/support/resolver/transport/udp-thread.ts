import { type MessagePort, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import type { Endpoint, IsTrusted } from '../../../../src/resolver/transport/listener.ts';
import { readForwarded, sendOn } from '../../../../src/resolver/transport/udp-forwarded.ts';
import { openUdpBatch } from '../../../../src/resolver/transport/udp-mmsg.ts';
import { atOnceForTests, describe, wishes } from './answers.ts';

export type UdpThread = {
  readonly address: Endpoint;
  readonly fd: number;
  readonly counts: Float64Array;
  readonly faults: string[];
  readonly stop: () => Promise<void>;
};

type Wanted = Endpoint & { readonly reusePort?: boolean; readonly proxy?: string };
type Said =
  | { kind: 'open'; fd: number; address: Endpoint; counts: Float64Array }
  | { kind: 'misses'; packed: Uint8Array }
  | { kind: 'fault'; text: string }
  | { kind: 'failed'; code: string };

/** As the resolver does it: a thread that reads batches, and this one, which answers the rest through the same socket. */
export function startUdpThread(wanted: Wanted): Promise<UdpThread> {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { wanted, mail: theirs },
    transferList: [theirs as unknown as MessagePort],
  });
  const faults: string[] = [];
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    let fd = -1;
    const hear: Record<Said['kind'], (said: never) => void> = {
      open: (said: Said & { kind: 'open' }) => {
        fd = said.fd;
        const stop = (): Promise<void> =>
          new Promise((stopped) => {
            worker.on('exit', () => stopped());
            ours.postMessage('stop');
          });
        resolve({ ...said, faults, stop });
      },
      misses: ({ packed }: Said & { kind: 'misses' }) =>
        readForwarded(packed, (request, peer) => {
          if (request.bytes[request.at + 2] === wishes.later) sendOn(fd, describe(request), peer);
        }),
      fault: ({ text }: Said & { kind: 'fault' }) => void faults.push(text),
      failed: ({ code }: Said & { kind: 'failed' }) => reject(Object.assign(new Error(code), { code })),
    };
    worker.on('message', (said: Said) => hear[said.kind](said as never));
  });
}

if (parentPort && (workerData as { mail?: unknown } | null)?.mail) runThread(parentPort);

function runThread(parent: MessagePort): void {
  const { wanted, mail } = workerData as { wanted: Wanted; mail: MessagePort };
  const say = (said: Said, transfer: ArrayBuffer[] = []): void => parent.postMessage(said, transfer);
  const proxies: IsTrusted = (address) => address.join('.') === wanted.proxy;
  try {
    const socket = openUdpBatch({
      ...wanted,
      reusePort: wanted.reusePort ?? false,
      ...(wanted.proxy === undefined ? {} : { proxies }),
      report: (problem, error) => say({ kind: 'fault', text: `${problem}: ${(error as Error).message}` }),
    });
    say({ kind: 'open', fd: socket.fd, address: socket.address, counts: socket.counts });
    socket.run({
      answerSync: atOnceForTests,
      onBatchEnd() {
        if (receiveMessageOnPort(mail)) socket.stop();
      },
      forward: (packed) => say({ kind: 'misses', packed }, [packed.buffer]),
    });
    socket.close();
    mail.close();
  } catch (error) {
    say({ kind: 'failed', code: (error as NodeJS.ErrnoException).code ?? String(error) });
    mail.close();
  }
}

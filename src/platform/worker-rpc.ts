import type { MessagePort, Transferable, Worker } from 'node:worker_threads';
import { isObject } from '../kit/is-object.ts';

/** A request to another thread and its response, over a port that also carries other messages. */
type Call = { readonly call: number; readonly given: unknown };
type Reply = { readonly reply: number } & ({ readonly value: unknown } | { readonly failed: CallFailure });
type CallFailure = { readonly message: string; readonly code: string | undefined };

type Port = Pick<MessagePort | Worker, 'postMessage'> & {
  on(event: 'message', listener: (message: unknown) => void): unknown;
};

/**
 * Sends requests over a port and answers those of the other side. An error keeps its `code`. All other messages go to
 * `other`. `lost` fails all pending requests when the thread has ended.
 */
export function createRpc<Requests, Received>(
  port: Port,
  answer: (given: Received) => unknown,
  other: (message: unknown) => void = () => {},
) {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let lostBy: Error | undefined;

  const reply = async ({ call, given }: Call): Promise<void> => {
    try {
      port.postMessage({ reply: call, value: await answer(given as Received) });
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      port.postMessage({ reply: call, failed: { message, code } satisfies CallFailure });
    }
  };

  port.on('message', (message) => {
    if (isObject(message) && 'call' in message) void reply(message as Call);
    else if (isObject(message) && 'reply' in message) {
      const { reply: call, ...outcome } = message as Reply;
      const { resolve, reject } = waiting.get(call) ?? {};
      waiting.delete(call);
      if ('failed' in outcome)
        reject?.(Object.assign(new Error(outcome.failed.message), { code: outcome.failed.code }));
      else resolve?.(outcome.value);
    } else other(message);
  });

  return {
    call: <T>(given: Requests, transfer: readonly Transferable[] = []): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (lostBy) return reject(lostBy);
        last += 1;
        waiting.set(last, { resolve: resolve as (value: unknown) => void, reject });
        port.postMessage({ call: last, given } satisfies Call, transfer);
      }),
    lost(error: Error): void {
      lostBy = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

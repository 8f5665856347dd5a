import type { MessagePort, Transferable, Worker } from 'node:worker_threads';
import { isObject } from '../kit/is-object.ts';

/*
 * Requests to another thread and their replies, over a port that also carries other messages. Both sides may send requests;
 * the id of a request is unique among those of its sender.
 */
type RpcMessage =
  | { readonly rpc: 'call'; readonly id: number; readonly request: unknown }
  | { readonly rpc: 'abort'; readonly id: number }
  | { readonly rpc: 'event'; readonly id: number; readonly event: unknown }
  | { readonly rpc: 'done'; readonly id: number; readonly value: unknown }
  | { readonly rpc: 'failed'; readonly id: number; readonly failure: ErrorMessage };

/** The parts of an error that can be sent to another thread. */
export type ErrorMessage = {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
};

export const toErrorMessage = (error: unknown): ErrorMessage =>
  error instanceof Error
    ? { message: error.message, stack: error.stack, code: (error as NodeJS.ErrnoException).code }
    : { message: String(error), stack: undefined, code: undefined };

export const fromErrorMessage = ({ message, stack, code }: ErrorMessage): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code }, stack !== undefined && { stack });

type Port = Pick<MessagePort | Worker, 'postMessage'> & {
  on(event: 'message', listener: (message: unknown) => void): unknown;
};

type CallOptions<Event> = {
  /** Memory of the request that is moved instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Aborts the signal of the other side. The call still waits for the reply. */
  readonly signal?: AbortSignal;
  /** Receives what the other side emits before it replies. */
  readonly onEvent?: (event: Event) => void;
};

/** Passed to the function that handles a request. */
type Answering<Event> = {
  /** Aborted when the caller cancels the request. */
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
};

type Pending = {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onEvent: (event: unknown) => void;
  /** A signal may outlive thousands of calls and must not reference them. */
  readonly removeAbortListener: () => void;
};

/** A reply with memory that is moved instead of copied. */
class Moving {
  readonly value: unknown;
  readonly transfer: readonly Transferable[];

  constructor(value: unknown, transfer: readonly Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}
export const moving = (value: unknown, transfer: readonly Transferable[]): unknown => new Moving(value, transfer);

/**
 * Sends requests over a port and answers those of the other side. An error keeps its `code`. All other messages go to
 * `other`. `lost` rejects all pending and future requests: the thread has ended.
 */
export function createRpc<Requests, Received, Emitted = never>(
  port: Port,
  answer: (request: Received, answering: Answering<Emitted>) => unknown,
  other: (message: unknown) => void = () => {},
) {
  const pending = new Map<number, Pending>();
  const answered = new Map<number, AbortController>();
  let lastId = 0;
  let lostBy: Error | undefined;
  const post = (message: RpcMessage, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, transfer);

  const reply = async (id: number, request: Received): Promise<void> => {
    const stop = new AbortController();
    answered.set(id, stop);
    try {
      const emit = (event: Emitted): void => post({ rpc: 'event', id, event });
      const result = await answer(request, { signal: stop.signal, emit });
      const { value, transfer } = result instanceof Moving ? result : new Moving(result, []);
      post({ rpc: 'done', id, value }, transfer);
    } catch (error) {
      post({ rpc: 'failed', id, failure: toErrorMessage(error) });
    } finally {
      answered.delete(id);
    }
  };
  const settle = (id: number): Pending | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    call?.removeAbortListener();
    return call;
  };
  const handlers: { readonly [Kind in RpcMessage['rpc']]: (message: Extract<RpcMessage, { rpc: Kind }>) => void } = {
    call: ({ id, request }) => void reply(id, request as Received),
    abort: ({ id }) => answered.get(id)?.abort(),
    event: ({ id, event }) => pending.get(id)?.onEvent(event),
    done: ({ id, value }) => settle(id)?.resolve(value),
    failed: ({ id, failure }) => settle(id)?.reject(fromErrorMessage(failure)),
  };

  port.on('message', (message) => {
    if (isObject(message) && 'rpc' in message) handlers[message['rpc'] as RpcMessage['rpc']](message as never);
    else other(message);
  });

  const call = <T, Event = never>(
    request: Requests,
    { transfer = [], signal, onEvent = () => {} }: CallOptions<Event> = {},
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      signal?.throwIfAborted();
      if (lostBy) throw lostBy;
      lastId += 1;
      const id = lastId;
      post({ rpc: 'call', id, request }, transfer);
      const abort = (): void => post({ rpc: 'abort', id });
      signal?.addEventListener('abort', abort, { once: true });
      const removeAbortListener = (): void => signal?.removeEventListener('abort', abort);
      pending.set(id, { resolve, reject, onEvent: onEvent as (event: unknown) => void, removeAbortListener });
    } catch (error) {
      reject(error);
    }
    return promise as Promise<T>;
  };
  const lost = (error: Error): void => {
    lostBy ??= error;
    for (const id of pending.keys()) settle(id)!.reject(lostBy);
  };
  return { call, lost };
}

/** Calls the listener once when a thread has ended, with the error that ended it. */
export function onThreadEnd(thread: Worker, listener: (error: Error) => void): void {
  let isOver = false;
  const end = (error: Error): void => {
    if (!isOver) listener(error);
    isOver = true;
  };
  thread.on('error', (error) => end(error as Error));
  thread.on('exit', (code) => end(new Error(`the thread ended with ${code}`)));
}

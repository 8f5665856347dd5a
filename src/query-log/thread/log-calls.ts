import type { MessagePort } from 'node:worker_threads';
import { type ErrorMessage, fromErrorMessage, toErrorMessage } from '../../platform/worker-rpc.ts';
import type { LogEngine } from '../log-engine.ts';
import { LogError, type LogErrorKind, logErrorKinds } from '../log-store.ts';

/** A request to the thread of the log: the ingest thread, or log-worker.ts in a process without DNS. */
export type LogCall = { readonly name: string; readonly args: readonly unknown[] };

/** An error of background work of the thread. */
export type ProblemMessage = { readonly kind: 'problem'; readonly error: ErrorMessage };

export const problemMessage = (error: unknown): ProblemMessage => ({ kind: 'problem', error: toErrorMessage(error) });

export const problemOf = ({ error }: ProblemMessage): Error => asLogError(fromErrorMessage(error));

/** An error of the thread; a `LogError` becomes one again. */
export const asLogError = (error: NodeJS.ErrnoException): Error =>
  logErrorKinds.has(error.code) ? new LogError(error.code as LogErrorKind, error) : error;

/** The thread ends when its port is closed. The reply is sent before, in a microtask. */
export const closeAfterReply = (port: MessagePort): void => void setImmediate(() => port.close());

const statistics = [
  'activeDevices',
  'blockedCategories',
  'categories',
  'clients',
  'companies',
  'companiesDetailed',
  'countries',
  'devices',
  'domains',
  'latency',
  'lists',
  'time',
] as const satisfies readonly (keyof LogEngine['statistics'])[];
const plain = [
  'appendBatches',
  'appendBatchesOnce',
  'page',
  'clear',
  'deleteAccount',
  'requestsSince',
  'accounts',
  'applyRetentionFrom',
  'health',
  'close',
] as const satisfies readonly (keyof LogEngine)[];
type LogCallName = (typeof statistics)[number] | (typeof plain)[number];

type AnyCall = (...args: unknown[]) => Promise<unknown>;

/** A log engine that sends every call as a message. */
export function logByCalls(call: (name: LogCallName, args: readonly unknown[]) => Promise<unknown>): LogEngine {
  const entry = (name: LogCallName): [string, AnyCall] => [name, (...args) => call(name, args)];
  return {
    ...Object.fromEntries(plain.map(entry)),
    statistics: Object.fromEntries(statistics.map(entry)),
  } as unknown as LogEngine;
}

export function answerCall(log: LogEngine, { name, args }: LogCall): Promise<unknown> {
  const calls = { ...log, ...log.statistics } as unknown as Record<string, AnyCall>;
  return calls[name]!(...args);
}

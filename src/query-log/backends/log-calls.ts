import type { LogEngine } from '../log-engine.ts';
import { LogError, type LogErrorKind } from '../log-store.ts';

/** Messages to and from the query-log thread. */
export type LogCall = { readonly id: number; readonly name: string; readonly given: readonly unknown[] };
export type LogReply =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'problem'; readonly failure: Failure };

/** The parts of an error that can be cloned. */
type Failure = { readonly errorKind: LogErrorKind | undefined; readonly message: string };

export const failureOf = (error: unknown): Failure => ({
  errorKind: error instanceof LogError ? error.kind : undefined,
  message: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

export const errorOf = ({ errorKind, message }: Failure): Error =>
  errorKind === undefined ? new Error(message) : new LogError(errorKind, new Error(message));

const statistics = [
  'categories',
  'companies',
  'companiesDetailed',
  'countries',
  'devices',
  'domains',
  'time',
] as const satisfies readonly (keyof LogEngine['statistics'])[];
const plain = [
  'appendBatches',
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

type AnyCall = (...given: unknown[]) => Promise<unknown>;

/** A log engine that sends every call as a message. */
export function logByCalls(call: (name: LogCallName, given: readonly unknown[]) => Promise<unknown>): LogEngine {
  const entry = (name: LogCallName): [string, AnyCall] => [name, (...given) => call(name, given)];
  return {
    ...Object.fromEntries(plain.map(entry)),
    statistics: Object.fromEntries(statistics.map(entry)),
  } as unknown as LogEngine;
}

export function answerCall(log: LogEngine, { name, given }: LogCall): Promise<unknown> {
  const calls = { ...log, ...log.statistics } as unknown as Record<string, AnyCall>;
  return calls[name]!(...given);
}

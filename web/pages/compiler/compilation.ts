import { noteUnreachable } from '../../api/connectivity.ts';
import { createStore } from '../../api/store.ts';
import type { Configuration } from './configuration.ts';
import { follow, type Progress, startOf } from './progress.ts';
import type { CompileProblem, FromWorker, Order, Question, Summary, ToWorker } from './worker-messages.ts';

export type Compilation = Progress & {
  readonly order: Order;
  /** Told apart from the one before. */
  readonly number: number;
  readonly outcome:
    | { readonly kind: 'running' }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'failed'; readonly problem: CompileProblem }
    | { readonly kind: 'finished'; readonly summary: Summary };
};

// Outside of the page: a compilation goes on, and its list is still there, when somebody looks at another page meanwhile.
const compilation = createStore<Compilation | undefined>(undefined);
export const useCompilation = compilation.use;

let worker: Worker | undefined;
let asked = 0;
let compiled = 0;
const waiting = new Map<number, (answer: unknown) => void>();

function say(message: ToWorker): void {
  worker ??= startWorker();
  worker.postMessage(message);
}

function startWorker(): Worker {
  const started = new Worker(new URL('list-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => hear(data));
  // Most likely the list is larger than the memory of the browser.
  started.addEventListener('error', ({ message }) =>
    hear({ kind: 'failed', problem: { kind: 'refused', message, details: [] } }),
  );
  return started;
}

export function compile(order: Order): void {
  compiled += 1;
  const names = order.configuration.sources.map(nameOf);
  compilation.set({ ...startOf(names), order, number: compiled, outcome: { kind: 'running' } });
  say({ kind: 'compile', order });
}

export function cancel(): void {
  say({ kind: 'cancel' });
  update((current) => ({ ...current, outcome: { kind: 'cancelled' } }));
}

/** Asks for something of the list that was compiled last. */
export function ask<T>(question: Question): Promise<T> {
  asked += 1;
  const id = asked;
  return new Promise<T>((resolve) => {
    waiting.set(id, resolve as (answer: unknown) => void);
    say({ kind: 'ask', id, question });
  });
}

function update(change: (current: Compilation) => Compilation): void {
  const current = compilation.get();
  if (current?.outcome.kind === 'running') compilation.set(change(current));
}

function hear(message: FromWorker): void {
  switch (message.kind) {
    case 'event':
      update((current) => ({ ...current, ...follow(current, message.name, message.data) }));
      return;
    case 'finished':
      update((current) => ({ ...current, outcome: message }));
      return;
    case 'failed':
      if (message.problem.kind === 'unreachable') noteUnreachable();
      update((current) => ({ ...current, outcome: message }));
      return;
    case 'answer':
      waiting.get(message.id)?.(message.answer);
      waiting.delete(message.id);
  }
}

const MAX_NAME = 80;

const nameOf = ({ name, source }: Configuration['sources'][number]): string => {
  const words = name ?? source.trim().split('\n', 1)[0] ?? '';
  return words.length > MAX_NAME ? `${words.slice(0, MAX_NAME)}…` : words;
};

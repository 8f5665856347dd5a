import { setUnreachable } from '../../api/connectivity.ts';
import { createStore } from '../../api/store.ts';
import type { Configuration } from './configuration.ts';
import { applyEvent, initialProgress, type Progress } from './progress.ts';
import type { CompileError, CompileJob, FromWorker, Summary, ToWorker, WorkerQuery } from './worker-messages.ts';

export type Compilation = Progress & {
  readonly job: CompileJob;
  /** Distinguishes consecutive compilations. */
  readonly number: number;
  readonly outcome:
    | { readonly kind: 'running' }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'failed'; readonly problem: CompileError }
    | { readonly kind: 'finished'; readonly summary: Summary };
};

// Module state: a compilation and its result survive navigation to another page.
const compilation = createStore<Compilation | undefined>(undefined);
export const useCompilation = compilation.use;

let worker: Worker | undefined;
let lastQueryId = 0;
let lastNumber = 0;
const pending = new Map<number, (answer: unknown) => void>();

function post(message: ToWorker): void {
  worker ??= startWorker();
  worker.postMessage(message);
}

function startWorker(): Worker {
  const started = new Worker(new URL('list-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => onMessage(data));
  // The most likely cause is a list that exceeds the memory of the browser.
  started.addEventListener('error', ({ message }) =>
    onMessage({ kind: 'failed', problem: { kind: 'refused', message, details: [] } }),
  );
  return started;
}

export function compile(job: CompileJob): void {
  lastNumber += 1;
  const names = job.configuration.sources.map(nameOf);
  compilation.set({ ...initialProgress(names), job, number: lastNumber, outcome: { kind: 'running' } });
  post({ kind: 'compile', job });
}

export function cancel(): void {
  post({ kind: 'cancel' });
  update((current) => ({ ...current, outcome: { kind: 'cancelled' } }));
}

/** Queries the most recently compiled list in the worker. */
export function queryWorker<T>(query: WorkerQuery): Promise<T> {
  lastQueryId += 1;
  const id = lastQueryId;
  return new Promise<T>((resolve) => {
    pending.set(id, resolve as (answer: unknown) => void);
    post({ kind: 'query', id, query });
  });
}

function update(change: (current: Compilation) => Compilation): void {
  const current = compilation.get();
  if (current?.outcome.kind === 'running') compilation.set(change(current));
}

function onMessage(message: FromWorker): void {
  switch (message.kind) {
    case 'event':
      update((current) => ({ ...current, ...applyEvent(current, message.name, message.data) }));
      return;
    case 'finished':
      update((current) => ({ ...current, outcome: message }));
      return;
    case 'failed':
      if (message.problem.kind === 'unreachable') setUnreachable();
      update((current) => ({ ...current, outcome: message }));
      return;
    case 'answer':
      pending.get(message.id)?.(message.answer);
      pending.delete(message.id);
  }
}

const MAX_NAME = 80;

const nameOf = ({ name, source }: Configuration['sources'][number]): string => {
  const text = name ?? source.trim().split('\n', 1)[0] ?? '';
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
};

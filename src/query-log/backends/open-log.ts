import type { LogStore } from '../log-store.ts';

type Options = ({ readonly folder: string } | { readonly postgres: string }) & {
  readonly onProblem: (problem: unknown) => void;
};

/** Opens a log in files (in its own thread) or in PostgreSQL. */
export async function openLog({ onProblem, ...options }: Options): Promise<LogStore> {
  if ('folder' in options) return (await import('./log-in-thread.ts')).logInThread(options.folder, onProblem);
  return (await import('./postgres-log.ts')).openPostgresLog(options.postgres, { now: Date.now, onProblem });
}

import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Increments of the nice value, which is per thread on Linux. `helper`: for work that can wait briefly; `background`: for work that can
 * wait for a long time.
 */
const added = { helper: 5, background: 10 } as const;
const [SMALLEST_NICE, LARGEST_NICE] = [-20, 19];
const RAISED = 10;

const lowered = (to: keyof typeof added): number => Math.min(LARGEST_NICE, getPriority() + added[to]);

/** Lowers the priority of the calling thread, so that it does not delay the answering threads. */
export const lowerThreadPriority = (to: keyof typeof added): void => setPriority(lowered(to));

/** Whether threads may raise their priority: as root, or with `RLIMIT_NICE`. */
export function canRaisePriority(): boolean {
  const nice = getPriority();
  const isRaised = process.platform === 'linux' && setNice(Math.max(SMALLEST_NICE, nice - 1));
  if (isRaised) setPriority(nice);
  return isRaised;
}

/** Raises the priority of the calling thread if the system allows it: if the thread falls behind, answers are delayed or records lost. */
export function raiseThreadPriority(): void {
  if (canRaisePriority()) setNice(Math.max(SMALLEST_NICE, getPriority() - RAISED));
}

/** Returns false if that is not allowed. */
function setNice(nice: number): boolean {
  try {
    setPriority(nice);
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

const isRefused = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as { readonly info?: { readonly code?: string } }).info?.code ?? '');

/**
 * Lowers the priority of the threads in which V8 collects garbage and compiles for all threads of the process: the collections of a
 * large compilation would take as much of a core as a thread that answers queries.
 */
export function lowerV8Threads(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    const nameOf = (): string => readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
    try {
      if (nameOf() === 'V8Worker') setPriority(Number(thread), lowered('helper'));
    } catch (error) {
      // Ignored: the thread has ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ESRCH')
        throw error;
    }
  }
}

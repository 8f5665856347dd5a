import { libc } from './libc.ts';

export type PriorityState = {
  readonly isRealTime: boolean;
  /** Consecutive checks in which the thread was too busy. */
  readonly busyChecks: number;
  readonly since: number;
  /** Whether normal priority lasts until the other thread has caught up, instead of `pauseMs`. */
  readonly isCatchingUp: boolean;
  /** Duration of the next period of normal priority. */
  readonly pauseMs: number;
};

const MOST_CPU_SHARE = 0.92;
const BUSY_CHECKS = 3;
const MOST_BACKLOG = 0.6;
const LEAST_BACKLOG = 0.45;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 4000;

export const firstState = (now: number): PriorityState => ({
  isRealTime: true,
  busyChecks: 0,
  since: now,
  isCatchingUp: false,
  pauseMs: FIRST_PAUSE_MS,
});

/** `backlog`: fill level of the buffer that another thread reads; `cpuShare`: unknown between checks. */
export type Work = { readonly cpuShare: number | undefined; readonly backlog: number };

/**
 * Real-time priority until another thread falls behind, or this one takes nearly all of its core in several checks. Then normal priority,
 * so that others run: until the other thread has caught up, or for a pause. Each pause is twice as long as the one before if the thread
 * became too busy soon after it.
 */
export function nextPriority(state: PriorityState, { cpuShare, backlog }: Work, now: number): PriorityState {
  const { isRealTime, isCatchingUp, since, pauseMs } = state;
  if (!isRealTime && isCatchingUp) return backlog > LEAST_BACKLOG ? state : realTime(state, now);
  if (!isRealTime) return now < since + pauseMs ? state : { ...realTime(state, now), pauseMs: pauseMs * 2 };
  if (backlog > MOST_BACKLOG) return { ...state, isRealTime: false, isCatchingUp: true, busyChecks: 0 };
  if (cpuShare === undefined) return state;
  const busyChecks = cpuShare > MOST_CPU_SHARE ? state.busyChecks + 1 : 0;
  if (busyChecks < BUSY_CHECKS) return { ...state, busyChecks };
  const nextPauseMs = now > since + LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(pauseMs, LONGEST_PAUSE_MS);
  return { isRealTime: false, isCatchingUp: false, busyChecks: 0, since: now, pauseMs: nextPauseMs };
}

const realTime = (state: PriorityState, now: number): PriorityState => ({
  ...state,
  isRealTime: true,
  isCatchingUp: false,
  busyChecks: 0,
  since: now,
});

const SCHED_OTHER = 0;
// SCHED_FIFO; threads and processes that this thread starts have normal priority (SCHED_RESET_ON_FORK).
const SCHED_FIFO = 0x40000001;
const THIS_THREAD = 0;
const CHECK_MS = 100;

/**
 * Gives the calling thread real-time priority as `nextPriority` decides; `check` is called often. With normal priority, a thread that a
 * packet wakes while another thread uses the core waits for the next timer interrupt of the kernel, 4 ms at 250 Hz, and then for its
 * turn. Does nothing where the system does not allow real-time priority.
 */
export function useRealTimePriority(backlog: () => number): { readonly check: (now: number) => void } {
  const functions = libc();
  const choose = (isRealTime: boolean): boolean =>
    typeof functions !== 'string' &&
    functions.setScheduler(
      THIS_THREAD,
      isRealTime ? SCHED_FIFO : SCHED_OTHER,
      new Uint8Array(Int32Array.of(isRealTime ? 1 : 0).buffer),
    ) === 0;
  let state = firstState(performance.now());
  let isAllowed = choose(true);
  let checkedAt = state.since;
  let cpu = process.threadCpuUsage();
  return {
    check(now) {
      if (!isAllowed) return;
      const isDue = now >= checkedAt + CHECK_MS;
      const cpuShare = isDue ? cpuMs(process.threadCpuUsage(cpu)) / (now - checkedAt) : undefined;
      const next = nextPriority(state, { cpuShare, backlog: backlog() }, now);
      if (next.isRealTime !== state.isRealTime) isAllowed = choose(next.isRealTime);
      state = next;
      if (!isDue) return;
      checkedAt = now;
      cpu = process.threadCpuUsage();
    },
  };
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

const RLIMIT_NICE = 13;
const RLIMIT_RTPRIO = 14;
/** 20 minus the smallest nice value. */
const NICE_LIMIT = 30n;

/** Lets threads use the lowest real-time priority, and a nice value of -10, after the process has dropped root. */
export function keepPrioritiesAllowed(): void {
  const functions = libc();
  if (typeof functions === 'string') return;
  const allow = (resource: number, limit: bigint) =>
    functions.setLimit(resource, new Uint8Array(BigUint64Array.of(limit, limit).buffer));
  allow(RLIMIT_RTPRIO, 1n);
  allow(RLIMIT_NICE, NICE_LIMIT);
}

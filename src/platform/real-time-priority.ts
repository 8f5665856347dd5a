import { libc } from './libc.ts';

export type PriorityState = {
  readonly isRealTime: boolean;
  /** Checks in a row that found the thread too busy. */
  readonly busyChecks: number;
  readonly since: number;
  /** How long the next period of normal priority lasts. */
  readonly pauseMs: number;
};

const MOST_CPU_SHARE = 0.92;
const BUSY_CHECKS = 5;
const MOST_BACKLOG = 0.6;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 4000;

export const firstState = (now: number): PriorityState => ({
  isRealTime: true,
  busyChecks: 0,
  since: now,
  pauseMs: FIRST_PAUSE_MS,
});

/** `backlog`: how full the buffer is that another thread empties; `cpuShare`: unknown between checks. */
export type Work = { readonly cpuShare: number | undefined; readonly backlog: number };

/**
 * Real-time priority until the thread takes nearly all of its core in several checks, or another thread falls behind; then a pause with
 * normal priority, so that others run. Each pause is twice as long as the one before if the thread became too busy soon after it.
 */
export function nextPriority(state: PriorityState, { cpuShare, backlog }: Work, now: number): PriorityState {
  if (!state.isRealTime)
    return now < state.since + state.pauseMs
      ? state
      : { ...state, isRealTime: true, busyChecks: 0, since: now, pauseMs: state.pauseMs * 2 };
  const isBehind = backlog > MOST_BACKLOG;
  if (cpuShare === undefined && !isBehind) return state;
  const busyChecks = cpuShare !== undefined && cpuShare > MOST_CPU_SHARE ? state.busyChecks + 1 : 0;
  const pauseMs = now > state.since + LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(state.pauseMs, LONGEST_PAUSE_MS);
  return busyChecks < BUSY_CHECKS && !isBehind
    ? { ...state, busyChecks }
    : { isRealTime: false, busyChecks: 0, since: now, pauseMs };
}

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

const RLIMIT_RTPRIO = 14;

/** Lets threads use the lowest real-time priority after the process has dropped root. */
export function keepRealTimeAllowed(): void {
  const functions = libc();
  if (typeof functions !== 'string')
    functions.setLimit(RLIMIT_RTPRIO, new Uint8Array(BigUint64Array.of(1n, 1n).buffer));
}

import { getHeapStatistics } from 'node:v8';
import { libc } from './libc.ts';

const LOOK_MS = 2000;
/** A thread that computes less than this is idle, also one that waits for somebody else's lock all the time. */
const IDLE_SHARE = 0.05;
const WORTH_BYTES = 12 * 2 ** 20;
/** To look through more than this takes so long that somebody would notice. */
const MOST_BYTES = 96 * 2 ** 20;

/** So much is not kept for a better moment. */
const MOST_LET_GO = 64 * 2 ** 20;

let letGo = 0;

/** Shared memory that this thread needs no more. For its collector that is next to nothing, and would wait for ever. */
export function noteLetGo(bytes: number): void {
  letGo += bytes;
}

export const isMuchLetGo = (): boolean => letGo > MOST_LET_GO;
export const isEnoughLetGo = (): boolean => letGo >= WORTH_BYTES;

/** Throws away all that this thread does not need and gives the room back to the system. Needs --expose-gc, with which `bin/weir` starts it. */
export function tidyNow(): void {
  letGo = 0;
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

/** What all threads have freed and the C library has kept. */
export function giveBackFreed(): void {
  const system = libc();
  if (typeof system !== 'string') system.trim();
}

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

type Tidying = { readonly idleShare?: number; readonly afterwards?: () => void };

/**
 * Tidies this thread when it has nothing else to do, which takes 50 to 150 ms. Left alone, a thread keeps the memory of its busiest time for ever:
 * what it has thrown away it keeps for itself, and once it is idle it throws nothing away.
 */
export function tidyWhenIdle({ idleShare = IDLE_SHARE, afterwards = () => {} }: Tidying = {}): void {
  let before = { cpuMs: threadCpuMs(), atMs: performance.now() };
  let needed = 0;
  const look = (): void => {
    const now = { cpuMs: threadCpuMs(), atMs: performance.now() };
    const share = (now.cpuMs - before.cpuMs) / (now.atMs - before.atMs);
    before = now;
    const { total_physical_size: held, used_heap_size: used } = getHeapStatistics();
    const isQuiet = share <= idleShare && used <= MOST_BYTES;
    if (held - needed + letGo < WORTH_BYTES || !(isQuiet || isMuchLetGo())) return;
    tidyNow();
    afterwards();
    needed = getHeapStatistics().total_physical_size;
  };
  if (globalThis.gc) setInterval(look, LOOK_MS).unref();
}

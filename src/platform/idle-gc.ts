import { getHeapStatistics } from 'node:v8';
import { libc } from './libc.ts';

const LOOK_MS = 2000;
/** A thread that uses a smaller share of CPU time than this is idle, including one that waits for a lock. */
const IDLE_SHARE = 0.05;
/**
 * Number of idle checks before a collection. Prevents collections in short pauses: a collection also discards compiled code, so that the
 * next requests take several times their CPU time.
 */
const QUIET_LOOKS = 5;
const WORTH_BYTES = 12 * 2 ** 20;
/** Larger heaps are not collected, because that would cause a noticeable pause. */
const MAX_BYTES = 96 * 2 ** 20;

/** Above this, collect immediately instead of waiting for idle. */
const MAX_RELEASED = 64 * 2 ** 20;

let released = 0;

/** Counts shared memory that this thread has released. The collector sees only small wrappers, so it would not run for them. */
export function noteReleased(bytes: number): void {
  released += bytes;
}

export const isMuchReleased = (): boolean => released > MAX_RELEASED;
export const isEnoughReleased = (): boolean => released >= WORTH_BYTES;

/** Collects garbage and returns free memory to the system. Needs --expose-gc, which `bin/weir` sets. */
export function collectNow(): void {
  released = 0;
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

/** Makes the C library return freed memory of all threads to the system. */
export function trimMalloc(): void {
  const system = libc();
  if (typeof system !== 'string') system.trim();
}

const MADV_DONTNEED = 4;
/** The largest page size of Linux on x64 and arm64. */
const PAGE_BYTES = 65_536;

/** Returns the whole pages of `bytes` to the system; they are zero afterwards. */
export function releasePages(bytes: Uint8Array): void {
  const system = libc();
  if (typeof system === 'string') return;
  const address = system.addressOf(bytes);
  const start = Math.ceil(address / PAGE_BYTES) * PAGE_BYTES;
  const end = Math.floor((address + bytes.length) / PAGE_BYTES) * PAGE_BYTES;
  if (end > start) system.madvise(start, end - start, MADV_DONTNEED);
}

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

type IdleGcOptions = {
  /** Number of consecutive checks, every two seconds, in which the thread must be idle. */
  readonly quietLooks?: number;
  readonly afterwards?: () => void;
};

/**
 * Collects garbage of this thread while it is idle, which takes 50 to 150 ms. Otherwise an idle thread would never trigger a collection and
 * keep its peak memory.
 */
export function collectWhenIdle({ quietLooks = QUIET_LOOKS, afterwards = () => {} }: IdleGcOptions = {}): void {
  let before = { cpuMs: threadCpuMs(), atMs: performance.now() };
  let needed = 0;
  let quiet = 0;
  const look = (): void => {
    const now = { cpuMs: threadCpuMs(), atMs: performance.now() };
    const share = (now.cpuMs - before.cpuMs) / (now.atMs - before.atMs);
    before = now;
    const { total_physical_size: held, used_heap_size: used } = getHeapStatistics();
    quiet = share <= IDLE_SHARE ? quiet + 1 : 0;
    const isQuiet = quiet >= quietLooks && used <= MAX_BYTES;
    if (held - needed + released < WORTH_BYTES || !(isQuiet || isMuchReleased())) return;
    collectNow();
    afterwards();
    needed = getHeapStatistics().total_physical_size;
  };
  if (globalThis.gc) setInterval(look, LOOK_MS).unref();
}

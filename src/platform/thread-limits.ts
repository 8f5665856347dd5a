import { getHeapStatistics } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** Below two gigabytes V8 collects when the heap has doubled; with a higher limit not before it has quadrupled. */
const MOST_OLD_MB = 2000;

/**
 * For threads that live as long as the service. By default V8 lets young objects take 48 MB before it collects them.
 * Collecting earlier costs less here: few survive, and they are still in the CPU cache.
 */
export const threadLimits = (youngMb: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: youngMb,
  // A small machine may have less.
  maxOldGenerationSizeMb: Math.min(MOST_OLD_MB, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)),
});

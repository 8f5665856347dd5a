import { getHeapStatistics } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** Below two gigabytes, V8 collects when the heap has doubled; with a higher limit, only when it has quadrupled. */
const MOST_OLD_MB = 2000;

/**
 * For threads that run as long as the service. By default, V8 collects young objects when they take 48 MB. Collecting earlier costs less,
 * because few survive and they are still in the CPU cache.
 */
export const threadLimits = (youngMb: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: youngMb,
  // Limited by the memory of small machines.
  maxOldGenerationSizeMb: Math.min(MOST_OLD_MB, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)),
});

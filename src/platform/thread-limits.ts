import { getHeapStatistics } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** Below two gigabytes V8 looks through what a thread holds when it has doubled; where it may have more, not until it is four times as much. */
const MOST_OLD_MB = 2000;

/**
 * For threads that live as long as the service. Left alone, each lets its short-lived objects take 48 MB before it looks at them. They are few: looked
 * at sooner they cost less, as they still are in the processor's cache.
 */
export const threadLimits = (youngMb: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: youngMb,
  // On a small machine it may have less anyway.
  maxOldGenerationSizeMb: Math.min(MOST_OLD_MB, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)),
});

import type { LogLocation } from './ingest-setup.ts';

/** Milliseconds. */
type Intervals = {
  /** Between two reads of the rings. */
  readonly drain: number;
  /** The same while there are few records, because a wake-up then costs more than reading them. A ring holds some 100,000. */
  readonly drainFew: number;
  /** After which rows are stored. Calls that read store first, so only readers on other nodes wait. */
  readonly store: number;
  /** The same while there are few rows, because small and large transactions cost about the same. */
  readonly storeFew: number;
};

/** Records of a ring at a time, and rows that wait. */
export const FEW = 1000;

export function intervalsOf(location: LogLocation): Intervals {
  // An insert creates parts of five tables, whatever its size.
  if ('clickhouse' in location) return { drain: 100, drainFew: 400, store: 2000, storeFew: 2000 };
  // Together with the time in the ring, a row waits for 2 s at most.
  if ('postgres' in location) return { drain: 100, drainFew: 400, store: 500, storeFew: 1600 };
  return { drain: 100, drainFew: 100, store: 500, storeFew: 500 };
}

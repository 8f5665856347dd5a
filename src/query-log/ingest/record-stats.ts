import type { ThreadLoad } from '../../platform/thread-load.ts';

/** Counts of query records: written = in rings + stored + waiting + dropped. */
export type RecordStats = {
  /** Written to rings by the answering threads. */
  readonly written: number;
  readonly stored: number;
  /** Read from rings and not stored yet. */
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Age of the oldest record that is not stored yet. */
  readonly lagMs: number;
  /** False while the log cannot be read or written. */
  readonly isReachable: boolean;
  /** Of the ingest thread. */
  readonly load: ThreadLoad;
};

export const dropReasons = [
  'ring full',
  'spool full',
  'unknown',
  'cleared',
  // The account has disabled its log.
  'switched off',
  // The ingest thread ended unexpectedly.
  'thread lost',
  'end',
] as const;
export type DropReason = (typeof dropReasons)[number];

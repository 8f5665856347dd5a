/** Answered queries, counted: those in rings and `dropped` for want of room there, or else stored, waiting or dropped. */
export type RecordStats = {
  /** Put into rings by the threads that answer. */
  readonly written: number;
  readonly stored: number;
  /** Taken out of rings and not stored yet. */
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** How long the oldest record that is not stored yet has waited. */
  readonly lagMs: number;
};

export const dropReasons = [
  'ring full',
  'spool full',
  'unknown',
  'cleared',
  // Its account wants no log any more.
  'switched off',
  // The thread that had it ended by itself.
  'thread lost',
  'end',
] as const;
export type DropReason = (typeof dropReasons)[number];

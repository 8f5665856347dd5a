import { type DropReason, dropReasons } from './record-stats.ts';

/* Counters in shared memory. They outlive the ingest thread, so its replacement can count the records that were lost. */
const counterAt = { written: 0, taken: 1, stored: 2 } as const;
const DROPPED_AT = 3;
const RINGS_AT = DROPPED_AT + dropReasons.length;
const OF_RING = 2;

export const createRecordCounts = (rings: number): SharedArrayBuffer =>
  new SharedArrayBuffer((RINGS_AT + rings * OF_RING) * Float64Array.BYTES_PER_ELEMENT);

export function openRecordCounts(memory: SharedArrayBuffer) {
  const all = new Float64Array(memory);
  const at = (what: keyof typeof counterAt): number => all[counterAt[what]]!;
  const dropped = (reason: DropReason): number => all[DROPPED_AT + dropReasons.indexOf(reason)]!;
  const drop = (reason: DropReason, rows: number): void => {
    all[DROPPED_AT + dropReasons.indexOf(reason)]! += rows;
  };
  return {
    written: (): number => at('written'),
    taken: (): number => at('taken'),
    stored: (): number => at('stored'),
    dropped: (): Record<DropReason, number> =>
      Object.fromEntries(dropReasons.map((reason) => [reason, dropped(reason)])) as Record<DropReason, number>,
    /** Read from a ring, and neither stored nor dropped. */
    waiting: (): number =>
      dropReasons.reduce(
        (left, reason) => (reason === 'ring full' ? left : left - dropped(reason)),
        at('taken') - at('stored'),
      ),
    countTaken(rows: number): void {
      all[counterAt.taken]! += rows;
    },
    countStored(rows: number): void {
      all[counterAt.stored]! += rows;
    },
    drop,
    /** Adds the counters of a ring's writer, which wrap at 2^32. */
    sawRing(ring: number, tail: { readonly written: number; readonly dropped: number }): void {
      const from = RINGS_AT + ring * OF_RING;
      all[counterAt.written]! += (tail.written - all[from]!) >>> 0;
      drop('ring full', (tail.dropped - all[from + 1]!) >>> 0);
      all[from] = tail.written;
      all[from + 1] = tail.dropped;
    },
  };
}

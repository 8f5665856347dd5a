import type { Lines } from '../lines/lines.ts';

/** Reason for dropping a line; `drop-log.ts` has the texts. */
export type Reason =
  | 'comment'
  | 'empty'
  | 'invalid'
  | 'belongs to a dropped rule'
  | 'duplicate'
  | 'same name'
  | 'covered by a parent'
  | 'excluded'
  | 'not included';

/**
 * Marks a line as dropped. `other` is the line that makes this one redundant; `detail` adds to the reason.
 */
export type Drop = (at: number, reason: Reason, other?: number, detail?: string) => void;

/** Edits the list in place. */
export type Transformation = (lines: Lines, drop: Drop) => void;

import type { Lines } from '../lines/lines.ts';

/** What a line is dropped for; `words.ts` says it in words. */
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
 * Marks a line as dropped. `other` is the line that makes this one superfluous; `detail` says what the reason
 * alone does not.
 */
export type Drop = (at: number, reason: Reason, other?: number, detail?: string) => void;

/** Edits the list it is given. */
export type Transformation = (lines: Lines, drop: Drop) => void;

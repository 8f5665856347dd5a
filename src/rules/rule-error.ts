/** An error in a rule, and the columns of the invalid part: UTF-16 units from 0, end exclusive. */
export type RuleError = {
  readonly reason: string;
  readonly start: number;
  /** Equal to `start` if something is missing. */
  readonly end: number;
};

export const errorAt = (reason: string, start: number, length: number): RuleError => ({
  reason,
  start,
  end: start + length,
});

/** Shifts an error in a part to the columns of the whole text, in which the part starts at `by`. */
export const shiftError = <F extends RuleError | undefined>(fault: F, by: number): F =>
  fault && { ...fault, start: fault.start + by, end: fault.end + by };

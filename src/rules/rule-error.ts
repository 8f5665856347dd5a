/** What is wrong with a rule, and the columns of the part that is: UTF-16 units from 0, the end exclusive. */
export type RuleError = {
  readonly reason: string;
  readonly start: number;
  /** The same as `start` where something is missing. */
  readonly end: number;
};

export const errorAt = (reason: string, start: number, length: number): RuleError => ({
  reason,
  start,
  end: start + length,
});

/** The fault of a part as a fault of the whole in which the part begins at column `by`. */
export const shiftError = <F extends RuleError | undefined>(fault: F, by: number): F =>
  fault && { ...fault, start: fault.start + by, end: fault.end + by };

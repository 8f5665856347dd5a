/** What is wrong with a rule, and the columns of the part that is: UTF-16 units from 0, the end exclusive. */
export type RuleFault = {
  readonly reason: string;
  readonly start: number;
  /** The same as `start` where something is missing. */
  readonly end: number;
};

export const faultAt = (reason: string, start: number, length: number): RuleFault => ({
  reason,
  start,
  end: start + length,
});

/** The fault of a part as a fault of the whole in which the part begins at column `by`. */
export const shiftFault = <F extends RuleFault | undefined>(fault: F, by: number): F =>
  fault && { ...fault, start: fault.start + by, end: fault.end + by };

/** Milliseconds of a clock that is the same in all threads of the process; `performance.now()` starts at 0 in each. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** True while there is some left: so many at once, then as many as come back in time. */
type Allowance = () => boolean;

function createAllowance(burst: number, perSecond: number, now: () => number): Allowance {
  let left = burst;
  let since = now();
  return () => {
    const at = now();
    left = Math.min(burst, left + ((at - since) / 1000) * perSecond) - 1;
    since = at;
    if (left >= 0) return true;
    left = 0;
    return false;
  };
}

export type Allowances = ReturnType<typeof createAllowances>;

/** How much of what makes work without asking for anything one connection may send. */
export const createAllowances = (now: () => number) => ({
  /** Streams that are opened only to be reset (CVE-2023-44487), or such that we must reset (CVE-2025-8671). */
  mayReset: createAllowance(200, 7, now),
  /** What asks for an answer of the protocol, or for nothing: settings, pings, empty frames, frames of no known type. */
  mayTalk: createAllowance(1000, 50, now),
});

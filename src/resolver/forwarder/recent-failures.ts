const SLOTS = 4096;
// The resolver thread remembers failures for longer; within this time it answers these questions alone (RFC 9520, 3.2).
const REMEMBERED_MS = 5_000;

/** Questions that an upstream could not answer. A later one may replace an earlier one in its slot. */
export function createRecentFailures() {
  const high = new Int32Array(SLOTS);
  const low = new Int32Array(SLOTS);
  const until = new Float64Array(SLOTS);
  const slotOf = (keyLow: number): number => keyLow & (SLOTS - 1);
  return {
    add(keyHigh: number, keyLow: number, nowMs: number): void {
      const slot = slotOf(keyLow);
      high[slot] = keyHigh;
      low[slot] = keyLow;
      until[slot] = nowMs + REMEMBERED_MS;
    },
    has(keyHigh: number, keyLow: number, nowMs: number): boolean {
      const slot = slotOf(keyLow);
      return low[slot] === keyLow && high[slot] === keyHigh && nowMs < until[slot]!;
    },
  };
}

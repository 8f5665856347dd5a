/*
 * The log stores the latency of a query in one byte: 0 if it was not measured, else one more than the index of the step.
 * Steps are exact below 100 ms and have two significant digits above.
 */
const [EXACT, TENS, HUNDREDS] = [100, 90, 65] as const;

const steps: readonly number[] = [
  ...Array.from({ length: EXACT }, (_, step) => step),
  ...Array.from({ length: TENS }, (_, step) => 100 + step * 10),
  ...Array.from({ length: HUNDREDS }, (_, step) => 1000 + step * 100),
];

export const NOT_MEASURED = 0;

/** The code of the nearest step; that of the last one for longer latencies. */
export function latencyCode(ms: number | undefined): number {
  if (ms === undefined || !(ms >= 0)) return NOT_MEASURED;
  const rounded = Math.round(ms);
  if (rounded < EXACT) return 1 + rounded;
  if (rounded < 995) return 1 + EXACT + Math.round((rounded - 100) / 10);
  return Math.min(steps.length, 1 + EXACT + TENS + Math.round((rounded - 1000) / 100));
}

/** Null if it was not measured. */
export const latencyMs = (code: number): number | null => steps[code - 1] ?? null;

/** Milliseconds by code; 0 where nothing was measured. */
export const latencyByCode: Uint32Array = Uint32Array.of(0, ...steps);

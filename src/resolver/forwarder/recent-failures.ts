const SLOTS = 4096;
const WORDS = 3;
const KEY_HIGH = 0;
const KEY_LOW = 1;
const UNTIL = 2;
// For this time, only the resolver thread, which caches failures for longer, answers these questions (RFC 9520, 3.2).
const REMEMBERED_SECONDS = 5;

export const createRecentFailuresMemory = (): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * WORDS * 4);

/**
 * Questions that failed at an upstream, in memory shared by all UDP threads. A question may overwrite another one with the same slot.
 * `seconds`: the shared clock.
 */
export function openRecentFailures(memory: SharedArrayBuffer, seconds: () => number) {
  const words = new Int32Array(memory);
  const slotOf = (keyLow: number): number => (keyLow & (SLOTS - 1)) * WORDS;
  return {
    add(keyHigh: number, keyLow: number): void {
      const slot = slotOf(keyLow);
      Atomics.store(words, slot + KEY_HIGH, keyHigh);
      Atomics.store(words, slot + KEY_LOW, keyLow);
      Atomics.store(words, slot + UNTIL, seconds() + REMEMBERED_SECONDS);
    },
    has(keyHigh: number, keyLow: number): boolean {
      const slot = slotOf(keyLow);
      return words[slot + KEY_LOW] === keyLow && words[slot + KEY_HIGH] === keyHigh && seconds() < words[slot + UNTIL]!;
    },
  };
}

export type RecentFailures = ReturnType<typeof openRecentFailures>;

/*
 * Questions in flight, in memory shared by the UDP threads and the resolver thread, so that threads wait for each other's answers to the
 * same question. A slot is 0 (free) or the number of its thread plus one, with the flag FOLLOWED once another thread waits. Different
 * questions with the same slot are not shared.
 */
const SLOTS = 8192;
const WORDS = 4;
const HOLDER = 0;
const KEY_HIGH = 1;
const KEY_LOW = 2;
const FOLLOWED = 0x100;

export const createClaimsMemory = (): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * WORDS * 4);

export type Claims = ReturnType<typeof openClaims>;

/** The resolver thread; UDP threads have lower numbers. */
export const RESOLVER_THREAD = 254;

/** `wakeOthers` is called when a question that other threads wait for has ended. */
export function openClaims(memory: SharedArrayBuffer, thread: number, wakeOthers: () => void) {
  const words = new Int32Array(memory);
  const mine = thread + 1;
  const slotOf = (keyLow: number): number => (keyLow & (SLOTS - 1)) * WORDS;
  const isOf = (slot: number, keyHigh: number, keyLow: number): boolean =>
    Atomics.load(words, slot + KEY_HIGH) === keyHigh && Atomics.load(words, slot + KEY_LOW) === keyLow;

  return {
    /** `followed`: another thread has sent this question; `isOver` returns true once that thread has finished it. */
    claim(keyHigh: number, keyLow: number): 'held' | 'followed' | 'not shared' {
      const slot = slotOf(keyLow);
      const holder = Atomics.compareExchange(words, slot + HOLDER, 0, mine);
      if (holder === 0) {
        Atomics.store(words, slot + KEY_HIGH, keyHigh);
        Atomics.store(words, slot + KEY_LOW, keyLow);
        return 'held';
      }
      if ((holder & ~FOLLOWED) === mine || !isOf(slot, keyHigh, keyLow)) return 'not shared';
      const before = Atomics.compareExchange(words, slot + HOLDER, holder, holder | FOLLOWED);
      return before === holder ? 'followed' : 'not shared';
    },
    isOver(keyHigh: number, keyLow: number): boolean {
      const slot = slotOf(keyLow);
      return Atomics.load(words, slot + HOLDER) === 0 || !isOf(slot, keyHigh, keyLow);
    },
    /** Waits until the question has ended. For threads with an event loop; UDP threads are notified by `wakeOthers`. */
    async wait(keyHigh: number, keyLow: number, maxMs: number): Promise<void> {
      const slot = slotOf(keyLow);
      const holder = Atomics.load(words, slot + HOLDER);
      if ((holder & FOLLOWED) === 0 || !isOf(slot, keyHigh, keyLow)) return;
      await Atomics.waitAsync(words, slot + HOLDER, holder, maxMs).value;
    },
    /** Must only be called for a question that this thread has claimed. */
    release(keyLow: number): void {
      const holder = Atomics.exchange(words, slotOf(keyLow) + HOLDER, 0);
      if ((holder & FOLLOWED) === 0) return;
      Atomics.notify(words, slotOf(keyLow) + HOLDER);
      wakeOthers();
    },
  };
}

// A client that sends the case of a query in flight by chance is refused. With 12 letters the probability is 1 in 4,096; names with fewer
// letters are not stored.
const FEWEST_LETTERS = 12;
// A power of two.
const SLOTS = 65_536;

export type SentNames = ReturnType<typeof sentNames>;

export const createSentNamesMemory = (): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * 4);

/**
 * Names in flight with their randomised case. An incoming query with the same case is our own, returned through a forwarding loop, because
 * forwarders preserve case. One hash per slot, shared by all threads; a name may overwrite another one, whose loop is then not detected.
 */
export function sentNames(memory: SharedArrayBuffer = createSentNamesMemory()) {
  const slots = new Int32Array(memory);
  return {
    /** Returns the argument for `remove`. */
    add(bytes: Uint8Array, at = 0, end: number = bytes.length): number {
      if (!isDistinctive(bytes, at, end)) return 0;
      const hash = hashOf(bytes, at, end);
      Atomics.store(slots, hash & (SLOTS - 1), hash);
      return hash;
    },
    remove(hash: number): void {
      if (hash !== 0) Atomics.compareExchange(slots, hash & (SLOTS - 1), hash, 0);
    },
    has(bytes: Uint8Array, at = 0, end: number = bytes.length): boolean {
      if (!isDistinctive(bytes, at, end)) return false;
      const hash = hashOf(bytes, at, end);
      return Atomics.load(slots, hash & (SLOTS - 1)) === hash;
    },
  };
}

/** Whether the case can identify a query: not with few letters, and not in lower case only, as most clients send names. */
function isDistinctive(bytes: Uint8Array, at: number, end: number): boolean {
  let letters = 0;
  let capitals = 0;
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x41 && byte <= 0x5a) capitals++;
    if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters++;
  }
  return capitals > 0 && letters >= FEWEST_LETTERS;
}

/** Case-sensitive hash, never 0. */
function hashOf(bytes: Uint8Array, at: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) | 0 || 1;
}

/** Chance that nobody can guess, read from a pool: a call to the system costs more than the bytes. */
export type Random = {
  /** 0 to 65,535. */
  readonly short: () => number;
  /** At least 0, less than 1. */
  readonly fraction: () => number;
  readonly bytes: (count: number) => Uint8Array;
};

const POOL_BYTES = 4096;

/** `fill` fills bytes from the system's source of randomness, as `crypto.randomFillSync` does. */
export function pooledRandom(fill: (bytes: Uint8Array) => void): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let at = POOL_BYTES;

  const byte = (): number => {
    if (at === POOL_BYTES) {
      fill(pool);
      at = 0;
    }
    const value = pool[at]!;
    // What was used once is not left lying in memory.
    pool[at++] = 0;
    return value;
  };
  const short = (): number => (byte() << 8) | byte();

  return {
    short,
    fraction: () => (short() * 65_536 + short()) / 2 ** 32,
    bytes: (count) => Uint8Array.from({ length: count }, byte),
  };
}

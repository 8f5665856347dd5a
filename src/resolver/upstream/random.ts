/** Cryptographic random numbers from a pool, because a system call per number is expensive. */
export type Random = {
  /** 0 to 65,535. */
  readonly short: () => number;
  /** In [0, 1). */
  readonly fraction: () => number;
  readonly bytes: (count: number) => Uint8Array;
};

const POOL_BYTES = 4096;

/** `fill` must be a cryptographic source, such as `crypto.randomFillSync`. */
export function pooledRandom(fill: (bytes: Uint8Array) => void): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let at = POOL_BYTES;

  const byte = (): number => {
    if (at === POOL_BYTES) {
      fill(pool);
      at = 0;
    }
    const value = pool[at]!;
    // Used bytes are erased from memory.
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

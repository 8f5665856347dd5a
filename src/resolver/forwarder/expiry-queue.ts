const LENGTH = 65_536;

/** Exchanges with one target, in sending order. Finished ones, whose generation has changed, are skipped. */
export function createExpiryQueue(generationOf: (exchange: number) => number) {
  const exchanges = new Int32Array(LENGTH);
  const generations = new Uint32Array(LENGTH);
  let head = 0;
  let count = 0;
  return {
    isFull: (): boolean => count === LENGTH,
    add(exchange: number): void {
      const at = (head + count++) & (LENGTH - 1);
      exchanges[at] = exchange;
      generations[at] = generationOf(exchange);
    },
    /** The oldest exchange in flight, or -1. */
    first(): number {
      while (count > 0) {
        const exchange = exchanges[head]!;
        if (generations[head] === generationOf(exchange)) return exchange;
        head = (head + 1) & (LENGTH - 1);
        count--;
      }
      return -1;
    },
  };
}

export type ExpiryQueue = ReturnType<typeof createExpiryQueue>;

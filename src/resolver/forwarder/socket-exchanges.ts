const NONE = -1;

/** The exchanges in flight on each socket, as linked lists in typed arrays. */
export function createSocketExchanges(sockets: number, exchanges: number) {
  const first = new Int32Array(sockets).fill(NONE);
  const next = new Int32Array(exchanges);
  return {
    /** -1 without one. */
    first: (socket: number): number => first[socket]!,
    next: (exchange: number): number => next[exchange]!,
    add(socket: number, exchange: number): void {
      next[exchange] = first[socket]!;
      first[socket] = exchange;
    },
    remove(socket: number, exchange: number): void {
      if (first[socket] === exchange) {
        first[socket] = next[exchange]!;
        return;
      }
      let before = first[socket]!;
      while (next[before] !== exchange) before = next[before]!;
      next[before] = next[exchange]!;
    },
  };
}

/** Sends a query unchanged, with id 0 in query and reply. `done` gets no bytes if it failed or timed out. */
export type Relay = (query: Uint8Array, done: (reply: Uint8Array | undefined) => void) => void;

/** Longer than a UDP thread waits before it passes the query on to the resolver thread. */
export const RELAY_MS = 2_000;
const CHECK_MS = 500;

/** Calls `check` regularly from the first `start` on, because relayed queries have no separate timers. */
export function lateCheck(check: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      timer ??= setInterval(check, CHECK_MS).unref();
    },
    stop: (): void => clearInterval(timer),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

const SOON_MS = 1000;
const AGAIN_MS = 60_000;
// Pause after a write, in multiples of its duration: at most a twentieth of the time is spent on it, however many accounts there are.
const TIMES_ITS_LENGTH = 20;
// At the end, a snapshot that takes longer is not worth the time without the service.
const STOP_MS = 1500;

/** Writes soon after a change, once for all changes in between. A failure is logged and retried. */
export function snapshotWriter(
  write: () => Promise<void>,
  onProblem: (problem: unknown) => void,
  { soonMs = SOON_MS, stopMs = STOP_MS } = {},
) {
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> = Promise.resolve();
  let tookMs = 0;

  const writeNow = (): void => {
    timer = undefined;
    underway = underway.then(async () => {
      const begun = performance.now();
      try {
        await write();
        tookMs = performance.now() - begun;
      } catch (error) {
        onProblem(error);
        after(AGAIN_MS);
      }
    });
  };
  const after = (ms: number): void => {
    timer ??= setTimeout(writeNow, ms).unref();
  };

  return {
    soon: (): void => after(Math.max(soonMs, tookMs * TIMES_ITS_LENGTH)),
    /** Writes pending changes first, if there is time. */
    async stop(): Promise<void> {
      const isPending = timer !== undefined;
      clearTimeout(timer);
      if (isPending && tookMs < stopMs) writeNow();
      await Promise.race([underway, sleep(stopMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}

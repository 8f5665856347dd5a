/** The first erasure comes soon, later ones at this distance: an account that clears its log in a loop must not stop the log of others. */
const FIRST_MS = 500;
const EVERY_MS = 20_000;

/** Runs `erase` after deletions, several of them together. A failure is reported and retried. */
export function erasing(erase: () => Promise<void>, onProblem: (problem: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRequested = false;
  let notBefore = 0;

  const run = (): Promise<void> => {
    isRequested = false;
    running = erase()
      .catch((error: unknown) => {
        isRequested = true;
        onProblem(error);
      })
      .finally(() => {
        running = undefined;
        notBefore = performance.now() + EVERY_MS;
        if (isRequested) schedule();
      });
    return running;
  };
  const schedule = (): void => {
    if (running) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.max(FIRST_MS, notBefore - performance.now())).unref();
  };

  return {
    soon(): void {
      if (isRequested) return;
      isRequested = true;
      schedule();
    },
    /** Erases now whatever is still to be erased. Nothing may be requested afterwards. */
    async finish(): Promise<void> {
      await running;
      if (isRequested) await run();
      clearTimeout(timer);
    },
  };
}

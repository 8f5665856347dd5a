/**
 * Delay of the first erasure and minimum interval of later ones: an account that clears its log in a loop must not
 * block others.
 */
const FIRST_MS = 500;
const EVERY_MS = 20_000;

/** Runs `erase` after deletions and combines several requests. A failed run is reported and retried. */
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
    /** Erases everything pending now. `soon` must not be called afterwards. */
    async finish(): Promise<void> {
      await running;
      if (isRequested) await run();
      clearTimeout(timer);
    },
  };
}

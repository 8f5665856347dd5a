import type { LogBackend, OutdatedSegment } from '../backends/log-backend.ts';
import { rewriteSegment } from './compact.ts';

/** Segments that are listed at once. */
const LIST_LIMIT = 64;
/** The job rests three times as long as it works, so that appends and pages go on. */
const REST_FACTOR = 3;
const RETRY_MS = 60_000;

type UpgradeEnvironment = {
  readonly onProblem: (problem: unknown) => void;
  /** Flushes the unflushed rows of an account. */
  readonly flush: (account: string) => Promise<void>;
};

/** Rewrites segments of earlier formats, one transaction each. An interrupted upgrade continues at the next start. */
export function upgradeInBackground(backend: LogBackend, { onProblem, flush }: UpgradeEnvironment) {
  let isStopped = false;
  let wake = (): void => {};
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (isStopped) return resolve();
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  // Corrupt segments stay as they are; the next start tries them again.
  const skipped = new Set<string>();
  const keyOf = ({ account, meta }: OutdatedSegment): string => `${meta.first} ${meta.id} ${account}`;

  const rewrite = async (segment: OutdatedSegment): Promise<void> => {
    const { account, meta } = segment;
    const isDone = await backend.change([account], (change) => rewriteSegment(change, account, meta, onProblem));
    if (!isDone) skipped.add(keyOf(segment));
  };
  /** False when nothing is left to do. */
  const step = async (): Promise<boolean> => {
    const listed = await backend.outdated(LIST_LIMIT + skipped.size);
    const segments = listed.filter((segment) => !skipped.has(keyOf(segment)));
    const unflushed = segments.find(({ meta }) => meta.level === 0);
    for (const segment of unflushed ? [] : segments) {
      if (isStopped) return false;
      const startedAt = performance.now();
      await rewrite(segment);
      await pause((performance.now() - startedAt) * REST_FACTOR);
    }
    if (unflushed) await flush(unflushed.account);
    return segments.length > 0;
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        if (await step()) continue;
        if (!isStopped && skipped.size === 0) await backend.finishUpgrade();
        return;
      } catch (error) {
        if (isStopped) return;
        onProblem(new Error('upgrading the query log failed; it will be retried', { cause: error }));
        await pause(RETRY_MS);
      }
    }
  };
  const running = run();
  return {
    async stop(): Promise<void> {
      isStopped = true;
      wake();
      await running;
    },
  };
}

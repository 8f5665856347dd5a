import { performance } from 'node:perf_hooks';

/** Bytes on the wire of all sources of a list that have responded. */
export type DownloadProgress = {
  readonly receivedBytes: number;
  /** Undefined if a source has not sent its size. */
  readonly totalBytes: number | undefined;
};

type SourceProgress = { readonly index: number; readonly receivedBytes: number; readonly totalBytes?: number };

const REPORT_MS = 250;

/** Sums the progress of the sources, and reports it at most four times a second. */
export function sumProgress(report: (progress: DownloadProgress) => void, ticks = () => performance.now()) {
  const sources = new Map<number, SourceProgress>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (progress: SourceProgress): void => {
    sources.set(progress.index, progress);
    if (ticks() - reportedAt < REPORT_MS) return;
    reportedAt = ticks();
    const all = [...sources.values()];
    const totals = all.flatMap(({ totalBytes }) => totalBytes ?? []);
    report({
      receivedBytes: sum(all.map(({ receivedBytes }) => receivedBytes)),
      totalBytes: totals.length === all.length ? sum(totals) : undefined,
    });
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

import { afterFailure } from '../kit/retry.ts';
import type { Copy } from './copies-on-disk.ts';
import { DownloadError, type Fail, inWords } from './download-error.ts';
import { type DownloadSettings, defaultSettings } from './download-settings.ts';
import { type Fetched, fetchOnce } from './fetch-once.ts';
import type { Progress } from './read-body.ts';

export type DownloadOptions = {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** `attempt` is the one that failed, counted from 1. */
  onRetry?: (info: { reason: string; waitMs: number; attempt: number }) => void;
};

export type Downloaded = {
  /** The body with its Content-Encoding undone; the charset is the reader's business. */
  bytes: Uint8Array;
  /** Where the body came from, after redirects. */
  url: string;
  contentType: string | undefined;
  freshness: 'fresh' | 'not modified' | 'stale';
  /** Why a copy had to stand in, when it did. */
  staleBecause?: DownloadError;
};

/** Rejects with a DownloadError, or with the signal's reason once that is aborted. */
export type Download = (url: string, options?: DownloadOptions) => Promise<Downloaded>;

type Job = { target: URL; copy: Copy | undefined; fail: Fail; settings: DownloadSettings; options: DownloadOptions };

export function downloader(given: Partial<DownloadSettings> = {}): Download {
  const settings = { ...defaultSettings, ...given };
  return async (url, options = {}) => {
    options.signal?.throwIfAborted();
    const fail: Fail = (failure, cause) => new DownloadError(url, failure, cause);
    const target = URL.parse(url);
    if (!target) throw fail({ kind: 'bad url' });
    target.hash = '';

    const copy = await loadCopy(target.href, settings);
    try {
      const { freshness, copy: fetched } = await fetchPatiently({ target, copy, fail, settings, options });
      if (freshness === 'fresh') await saveCopy(target.href, fetched, settings);
      return toDownloaded(fetched, freshness);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!copy || !settings.useStaleCopies || !(error instanceof DownloadError) || isRefusal(error)) throw error;
      return { ...toDownloaded(copy, 'stale'), staleBecause: error };
    }
  };
}

const toDownloaded = ({ bytes, url, contentType }: Copy, freshness: Downloaded['freshness']): Downloaded => ({
  bytes,
  url,
  contentType,
  freshness,
});

/** What we will not ask is not a failure of the other side, and an old copy must not get around it. */
const isRefusal = ({ failure: { kind } }: DownloadError): boolean =>
  kind === 'refused address' || kind === 'refused redirect' || kind === 'bad url';

/** Asks, and asks again for as long as `afterFailure` says so. */
async function fetchPatiently(job: Job): Promise<Fetched> {
  const { settings, options } = job;
  const started = settings.now();
  const budgetLeftMs = () => settings.totalBudgetMs - (settings.now() - started);
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchInTime(job, Math.min(settings.timeoutMs, budgetLeftMs()));
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      const bounds = { maxRetries: settings.maxRetries, budgetLeftMs: budgetLeftMs(), random: settings.random() };
      const next = afterFailure(error.failure, attempt, bounds);
      if (next.kind === 'give up') throw error;
      options.onRetry?.({ reason: inWords(error.failure), waitMs: next.ms, attempt });
      await settings.sleep(next.ms, options.signal);
    }
  }
}

async function fetchInTime({ target, copy, fail, settings, options }: Job, timeoutMs: number): Promise<Fetched> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(fail({ kind: 'timeout' })), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  const onProgress = options.onProgress ?? (() => {});
  try {
    return await fetchOnce(target, { settings, signal, copy, onProgress, fail });
  } catch (error) {
    // An aborted connection fails in whatever way it was just able to; the reason is the signal's.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

async function loadCopy(url: string, { copies, onCopyProblem }: DownloadSettings): Promise<Copy | undefined> {
  try {
    return await copies?.load(url);
  } catch (error) {
    onCopyProblem(new Error('a kept copy could not be read', { cause: error }));
    return undefined;
  }
}

async function saveCopy(url: string, copy: Copy, { copies, onCopyProblem }: DownloadSettings): Promise<void> {
  try {
    await copies?.save(url, copy);
  } catch (error) {
    onCopyProblem(new Error('a copy could not be kept', { cause: error }));
  }
}

import { afterFailure, type Failure } from '../kit/retry.ts';
import type { Copy } from './copies-on-disk.ts';
import { DownloadError, type Fail, inWords, isRefusal } from './download-error.ts';
import { type DownloadSettings, defaultSettings } from './download-settings.ts';
import { type Fetched, fetchOnce } from './fetch-once.ts';
import type { Progress } from './read-response-body.ts';
import { type Turn, turns } from './semaphore.ts';
import { watchSpeed } from './watch-speed.ts';

export type DownloadOptions = {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** `attempt` is the failed one, counted from 1; `reason` describes `failure`. */
  onRetry?: (info: { failure: Failure; reason: string; waitMs: number; attempt: number }) => void;
};

export type Downloaded = {
  /** The body without Content-Encoding; the charset is not converted. */
  bytes: Uint8Array;
  /** Final URL after redirects. */
  url: string;
  contentType: string | undefined;
  freshness: 'fresh' | 'not modified' | 'stale';
  /** Validator of this version: its ETag, otherwise its Last-Modified. */
  validator?: string;
  /** The error because of which a stale copy is used. */
  staleBecause?: DownloadError;
};

/** Rejects with a DownloadError, or with the signal's reason once aborted. */
export type Download = (url: string, options?: DownloadOptions) => Promise<Downloaded>;

type Job = {
  target: URL;
  copy: Copy | undefined;
  turn: Turn;
  fail: Fail;
  settings: DownloadSettings;
  options: DownloadOptions;
};

export function downloader(overrides: Partial<DownloadSettings> = {}): Download {
  const settings = { ...defaultSettings, ...overrides };
  const takeTurn = turns(settings.maxPerOrigin);
  return async (url, options = {}) => {
    options.signal?.throwIfAborted();
    const fail: Fail = (failure, cause) => new DownloadError(url, failure, cause);
    const target = URL.parse(url);
    if (!target) throw fail({ kind: 'bad url' });
    target.hash = '';

    const turn = await takeTurn(target.origin, options.signal);
    try {
      return await downloadInTurn({ target, turn, fail, settings, options });
    } finally {
      turn.leave();
    }
  };
}

async function downloadInTurn(job: Omit<Job, 'copy'>): Promise<Downloaded> {
  const { target, settings, options } = job;
  const copy = await loadCopy(target.href, settings);
  try {
    const { freshness, copy: fetched } = await fetchPatiently({ ...job, copy });
    if (freshness === 'fresh') await saveCopy(target.href, fetched, settings);
    return toDownloaded(fetched, freshness);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!copy || !settings.useStaleCopies || !(error instanceof DownloadError) || isRefusal(error)) throw error;
    return { ...toDownloaded(copy, 'stale'), staleBecause: error };
  }
}

function toDownloaded(copy: Copy, freshness: Downloaded['freshness']): Downloaded {
  const { bytes, url, contentType, etag, lastModified } = copy;
  const validator = etag ?? lastModified;
  return { bytes, url, contentType, freshness, ...(validator !== undefined && { validator }) };
}

/** Requests, and retries as long as `afterFailure` allows. */
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
      options.onRetry?.({ failure: error.failure, reason: inWords(error.failure), waitMs: next.ms, attempt });
      await settings.sleep(next.ms, options.signal);
    }
  }
}

async function fetchInTime({ target, copy, turn, fail, settings, options }: Job, timeoutMs: number): Promise<Fetched> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(fail({ kind: 'timeout' })), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  const speed = watchSpeed(settings, () => deadline.abort(fail({ kind: 'too slow' })));
  const onProgress = (progress: Progress): void => {
    speed.note(progress.receivedBytes);
    options.onProgress?.(progress);
  };
  try {
    return await fetchOnce(target, { settings, signal, copy, turn, onProgress, fail });
  } catch (error) {
    // An aborted connection fails with an arbitrary error; report the signal's reason.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    speed.stop();
  }
}

async function loadCopy(url: string, { copies, onCopyProblem }: DownloadSettings): Promise<Copy | undefined> {
  try {
    return await copies?.load(url);
  } catch (error) {
    onCopyProblem(new Error('the stored copy of a source could not be read', { cause: error }));
    return undefined;
  }
}

async function saveCopy(url: string, copy: Copy, { copies, onCopyProblem }: DownloadSettings): Promise<void> {
  try {
    await copies?.save(url, copy);
  } catch (error) {
    onCopyProblem(new Error('a downloaded source could not be stored', { cause: error }));
  }
}

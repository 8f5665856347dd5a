import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Copies } from './copies-on-disk.ts';
import type { EndpointPolicy } from './endpoint-policy.ts';

export type DownloadSettings = {
  /** One attempt, from the lookup to the last byte, redirects included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  maxRetries: number;
  /**
   * Minimum average speed of a body, measured from 10 s after its first byte; a slower download is aborted and not
   * retried.
   */
  minBytesPerSecond: number;
  /** All attempts and the waits between them. */
  totalBudgetMs: number;
  /** Size of the encoded body. */
  maxWireBytes: number;
  /** Size of the decoded body. */
  maxBytes: number;
  /** Maximum decompression ratio of large bodies. */
  maxRatio: number;
  maxRedirects: number;
  /** Whether https may redirect to http. */
  allowDowngrade: boolean;
  /** Allowed destinations; checked for every address of every host, redirects included. */
  endpoints: EndpointPolicy | 'any';
  /** Concurrent downloads per origin. Waiting does not count towards the time limits. */
  maxPerOrigin: number;
  userAgent: string;
  /** Earlier downloads, used for conditional requests. */
  copies?: Copies;
  /** Whether a stale copy may replace a failed download. */
  useStaleCopies: boolean;
  /** Called when a copy cannot be read or written; the download continues. */
  onCopyProblem: (problem: Error) => void;
  /**
   * HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. Ignored under an endpoint policy, because a proxy resolves
   * names itself.
   */
  proxies?: NodeJS.ProcessEnv;
  lookup: LookupFunction;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
  now: () => number;
};

const MIB = 1024 * 1024;

export const defaultSettings: DownloadSettings = {
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  maxRetries: 3,
  minBytesPerSecond: 0,
  totalBudgetMs: 120_000,
  maxWireBytes: 256 * MIB,
  maxBytes: 256 * MIB,
  // Lists compress by a factor of 3 to 50; decompression bombs by 1000 (the limit of gzip) or 600,000 (brotli).
  maxRatio: 250,
  maxRedirects: 21,
  allowDowngrade: true,
  endpoints: 'any',
  maxPerOrigin: Infinity,
  userAgent: 'weir',
  useStaleCopies: false,
  onCopyProblem: (problem) => process.emitWarning(problem),
  lookup,
  sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
  random: () => randomInt(2 ** 32) / 2 ** 32,
  now: Date.now,
};

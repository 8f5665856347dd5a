import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Copies } from './copies-on-disk.ts';
import type { EndpointPolicy } from './endpoint-policy.ts';

export type DownloadSettings = {
  /** One attempt, from the lookup of the name to the last byte, redirects included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  maxRetries: number;
  /** Average speed of a body, from 10 s after its first byte on; a slower download is ended and not retried. */
  minBytesPerSecond: number;
  /** All attempts and the waits between them. */
  totalBudgetMs: number;
  /** The body as it travels. */
  maxWireBytes: number;
  /** The body decoded. */
  maxBytes: number;
  /** How many times larger than on the wire a body may become, once it is too large to be let off. */
  maxRatio: number;
  maxRedirects: number;
  /** Whether https may redirect to http. */
  allowDowngrade: boolean;
  /** Where connections may go. Asked about every address of every host on the way, redirects included. */
  endpoints: EndpointPolicy | 'any';
  /** Downloads at one origin at a time. Waiting for a turn takes none of a download's own time. */
  maxPerOrigin: number;
  userAgent: string;
  /** Where earlier downloads are kept, to ask only for what changed since. */
  copies?: Copies;
  /** Whether a kept copy may stand in for a download that failed. */
  useStaleCopies: boolean;
  /** Told when a copy cannot be read or kept; the download itself goes on. */
  onCopyProblem: (problem: Error) => void;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. A proxy looks names up itself: under an endpoint policy none is used. */
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
  // Lists shrink by 3 to 50 times; a bomb by 1000 (gzip can do no more) or by 600,000 (brotli).
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

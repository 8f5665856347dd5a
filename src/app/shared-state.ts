import type { Logger } from 'pino';
import type { WatchLog } from '../api/log-deps.ts';
import type { ResultCache } from '../compile-api/result-cache.ts';
import type { SharedAttempts } from '../domain/login-throttle.ts';
import { MINUTE_MS } from '../kit/durations.ts';
import { fixedWindow, type RateWindow } from '../kit/fixed-window.ts';
import type { Settings } from '../settings/settings.ts';
import type { ChangeNotices } from '../store/change-feed.ts';
import type { Metrics } from './metrics.ts';

/** Maximum number of clients counted in memory. */
const MAX_CLIENTS = 100_000;

/** State that all nodes share if `valkey` is set; otherwise every node has its own. */
export type SharedState = {
  readonly perMinute: (name: string, limit: number) => RateWindow;
  readonly results: (
    local: ResultCache,
    options: { readonly freshMs: number; readonly maxEntryBytes: number },
  ) => ResultCache;
  /** Undefined if another node has run the job and stored its result. */
  readonly runOnce: <T>(key: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T | undefined>;
  /** Combines the live log of this node with those of other nodes. */
  readonly liveLog: (watchHere: WatchLog) => { readonly watch: WatchLog; readonly stop: () => void };
  /** Undefined: the database counts attempts to sign in. */
  readonly attempts?: SharedAttempts;
  /** Undefined: only the database notifies other nodes of changes. */
  readonly changes?: ChangeNotices;
  readonly register: (metrics: Metrics) => void;
  readonly close: () => void;
};

const inMemory = (limit: number) =>
  fixedWindow({ limit, windowMs: MINUTE_MS, now: () => performance.now(), maxKeys: MAX_CLIENTS });

const ownState: SharedState = {
  perMinute: (_name, limit) => inMemory(limit),
  results: (local) => local,
  runOnce: (_key, _signal, run) => run(),
  liveLog: (watch) => ({ watch, stop: () => {} }),
  register: () => {},
  close: () => {},
};

export async function openSharedState({ valkey: url }: Pick<Settings, 'valkey'>, log: Logger): Promise<SharedState> {
  if (url === undefined) return ownState;
  const { connectSharedState } = await import('./connect-shared-state.ts');
  return connectSharedState(url, inMemory, log);
}

import type { Logger } from 'pino';
import { MINUTE_MS } from '../kit/durations.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import { openValkey } from '../valkey/open-valkey.ts';
import { sharedAttempts } from '../valkey/shared-attempts.ts';
import { sharedChanges } from '../valkey/shared-changes.ts';
import { sharedLiveLog } from '../valkey/shared-live-log.ts';
import { oneNodeRuns, sharedResults } from '../valkey/shared-results.ts';
import { sharedWindow } from '../valkey/shared-window.ts';
import type { SharedState } from './shared-state.ts';

/** Shares state with other nodes through Valkey. While it does not answer, this node uses its own state. */
export async function connectSharedState(
  url: string,
  inMemory: (limit: number) => FixedWindow,
  log: Logger,
): Promise<SharedState> {
  const valkey = await openValkey(url, {
    onDown: (problem) =>
      log.warn({ problem }, 'Valkey does not answer: limits, results and live log are those of this node'),
    onUp: () => log.info('connected to Valkey'),
  });
  return {
    perMinute: (name, limit) => sharedWindow(valkey, { name, limit, windowMs: MINUTE_MS, local: inMemory(limit) }),
    results: (local, options) => sharedResults(local, valkey, options),
    runOnce: oneNodeRuns(valkey),
    liveLog: (watchHere) => sharedLiveLog(valkey, watchHere),
    attempts: sharedAttempts(valkey),
    changes: sharedChanges(valkey),
    register: (metrics) =>
      metrics.gauge('weir_valkey_up', 'Whether Valkey answers (1) or not (0).', () => Number(valkey.isUp())),
    close: valkey.close,
  };
}

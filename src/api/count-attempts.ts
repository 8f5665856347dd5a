import { type AttemptKeys, afterFailure, checkThrottle, type LoginThrottle, refund } from '../domain/login-throttle.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

/** Refunds an attempt. Call this in the transaction of the authenticated action. */
export type Refund = (store: Transaction) => Promise<void>;

/** Counts an attempt as failed for each key, unless one of them has to wait. Nodes count together, in the database or outside of it. */
export async function countAttempt(
  { store, sharedAttempts, now }: Pick<Deps, 'store' | 'sharedAttempts' | 'now'>,
  keys: AttemptKeys,
): Promise<Result<Refund, ApiError>> {
  const all = [...keys.cleared, ...keys.refunded];
  const sharedWaitMs = await sharedAttempts?.count(all);
  const isShared = sharedWaitMs !== undefined;
  const waitMs = isShared ? sharedWaitMs : await store.inTransaction((tx) => countInStore(tx, now(), all));
  if (waitMs > 0) return err({ kind: 'slow down', retryAfterSeconds: waitMs / 1000 });
  let isRefunded = false;
  return ok(async (tx) => {
    if (!isShared) return refundInStore(tx, keys);
    // Refunds once and without waiting: the transaction may run again and must not wait for another server.
    if (!isRefunded) sharedAttempts?.refund(keys);
    isRefunded = true;
  });
}

/** Returns the wait in milliseconds. */
async function countInStore({ throttles }: Transaction, now: number, keys: readonly string[]): Promise<number> {
  const before = new Map<string, LoginThrottle | undefined>();
  for (const key of keys) before.set(key, await throttles.get(key));
  const waits = Array.from(before.values(), (throttle) => checkThrottle(throttle, now));
  const longest = Math.max(...waits.map((wait) => (wait.kind === 'wait' ? wait.ms : 0)));
  if (longest > 0) return longest;
  for (const [key, throttle] of before) await throttles.put(key, afterFailure(throttle, now));
  return 0;
}

/** Concurrent attempts of the refunded keys stay counted. */
async function refundInStore({ throttles }: Transaction, { cleared, refunded }: AttemptKeys): Promise<void> {
  for (const key of cleared) await throttles.remove(key);
  for (const key of refunded) {
    const throttle = await throttles.get(key);
    const rest = throttle && refund(throttle);
    if (rest) await throttles.put(key, rest);
    else await throttles.remove(key);
  }
}

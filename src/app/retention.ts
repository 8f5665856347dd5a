import { PAGE_SECONDS } from '../domain/credentials.ts';
import type { AccountId } from '../domain/ids.ts';
import type { LogStore } from '../query-log/log-store.ts';
import type { ChangedAccounts } from '../store/database.ts';
import type { Store } from '../store/store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** After a failure. */
const AGAIN_MS = 20_000;
// Longer than any brake holds.
const BRAKE_MS = DAY_MS;

/** Deletes expired log rows, tokens and one-time tokens, and the logs of deleted accounts. */
export async function keepRecords(store: Store, log: LogStore, now: number, sessionIdleMinutes: number): Promise<void> {
  const idleMs = sessionIdleMinutes > 0 ? sessionIdleMinutes * MINUTE_MS : PAGE_SECONDS * 1000;
  await store.inTransaction(async ({ tokens, tickets, brakes }) => {
    // Uses are written once a minute: one that is not yet may have been since.
    await tokens.expire(now, now - idleMs - 2 * MINUTE_MS);
    await tickets.expire(now);
    await brakes.expire(now - BRAKE_MS);
  });
  await removeDeleted(store, log);
  const retention = await retentionDays(store);
  await log.applyRetention((account) => {
    const days = retention.get(account as AccountId);
    return days === undefined ? 0 : now - days * DAY_MS;
  });
}

/** Removes log rows and statistics whose account does not exist. */
async function removeDeleted(store: Store, log: LogStore): Promise<void> {
  // The log is read first: an account that is created meanwhile is in the store before it has rows.
  const logged = await log.accounts();
  const existing = await retentionDays(store);
  const unknown = logged.filter((account) => !existing.has(account as AccountId));
  if (unknown.length === 0) return;
  // An empty store may be a lost one: then only accounts that its audit names as deleted are removed.
  const deleted = existing.size > 0 ? undefined : new Set<string>(await store.read.accounts.deleted());
  for (const account of unknown) if (!deleted || deleted.has(account)) await log.deleteAccount(account);
}

async function retentionDays(store: Store): Promise<ReadonlyMap<AccountId, number>> {
  const days = new Map<AccountId, number>();
  for (let after = ''; ; ) {
    const accounts = await store.read.accounts.list({ after });
    for (const { id, logRetentionDays } of accounts) days.set(id, logRetentionDays);
    const last = accounts.at(-1);
    if (!last) return days;
    after = last.id;
  }
}

/** Does the same at start and every hour, and deletes the logs of accounts as soon as they are deleted. A failure is reported and retried. */
export function keepRecordsRegularly(
  store: Store,
  log: LogStore,
  sessionIdleMinutes: number,
  onProblem: (problem: unknown) => void,
) {
  let inFlight: Promise<void> = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  const queue = (work: () => Promise<void>): void => {
    inFlight = inFlight.then(work).catch((problem: unknown) => {
      onProblem(problem);
      clearTimeout(again);
      again = setTimeout(keepAll, AGAIN_MS).unref();
    });
  };
  const keepAll = (): void => queue(() => keepRecords(store, log, Date.now(), sessionIdleMinutes));
  const removeOf = async (changed: ChangedAccounts): Promise<void> => {
    if (changed === 'all') return removeDeleted(store, log);
    for (const account of changed) if (!(await store.read.accounts.find(account))) await log.deleteAccount(account);
  };
  // The transaction does not wait for it.
  const stopListening = store.onCommit((changed) => queue(() => removeOf(changed)), 'the query log');
  const timer = setInterval(keepAll, EVERY_MS).unref();
  keepAll();
  return {
    stop: async (): Promise<void> => {
      stopListening();
      clearInterval(timer);
      await inFlight;
      clearTimeout(again);
    },
  };
}

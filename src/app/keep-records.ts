import { PAGE_SECONDS } from '../domain/credentials.ts';
import type { AccountId } from '../domain/ids.ts';
import type { LogStore } from '../store/log/log-store.ts';
import type { Store } from '../store/store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
// Longer than any brake holds.
const BRAKE_MS = DAY_MS;

/** Lets go of what has had its time: rows of the log, tokens, tickets, and the log of accounts that are no more. */
export async function keepRecords(store: Store, log: LogStore, now: number, sessionIdleMinutes: number): Promise<void> {
  const idleMs = sessionIdleMinutes > 0 ? sessionIdleMinutes * MINUTE_MS : PAGE_SECONDS * 1000;
  await store.inTransaction(async ({ tokens, tickets, brakes }) => {
    // Uses are written once a minute: one that is not yet may have been since.
    await tokens.expire(now, now - idleMs - 2 * MINUTE_MS);
    await tickets.expire(now);
    await brakes.expire(now - BRAKE_MS);
  });
  const retention = await retentionDays(store);
  const gone: string[] = [];
  await log.retain((account) => {
    const days = retention.get(account as AccountId);
    if (days === undefined) gone.push(account);
    return days === undefined ? now : now - days * DAY_MS;
  });
  for (const account of gone) await log.forget(account);
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

/** The same, now and then, until it is stopped. A failure is told and tried again the next time. */
export function keepRecordsRegularly(
  store: Store,
  log: LogStore,
  sessionIdleMinutes: number,
  onProblem: (problem: unknown) => void,
  isDue: () => Promise<boolean> = async () => true,
) {
  let underway: Promise<void> = Promise.resolve();
  const work = (): void => {
    underway = underway
      .then(async () => void ((await isDue()) && (await keepRecords(store, log, Date.now(), sessionIdleMinutes))))
      .catch(onProblem);
  };
  const timer = setInterval(work, EVERY_MS).unref();
  return {
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await underway;
    },
  };
}

import { PAGE_SESSION_SECONDS, type SessionLimits } from '../domain/credentials.ts';
import type { AccountId } from '../domain/ids.ts';
import { NETWORK_CLIENT_DAYS } from '../domain/network-client.ts';
import type { ChangedAccounts, ChangeListener, StoreReader } from '../domain/repositories.ts';
import { STORED_REPLY_MS } from '../domain/stored-reply.ts';
import { DAY_MS, MINUTE_MS } from '../kit/durations.ts';
import type { Transactions } from './deps.ts';

const EVERY_MS = 3_600_000;
const RETRY_MS = 20_000;
// Longer than any throttle.
const THROTTLE_MS = DAY_MS;
// Tolerance for clock differences, so that a token that another node has just issued is not deleted.
const CLOCKS_APART_MS = 5 * MINUTE_MS;

type RetentionStore = Transactions['store'] & {
  readonly read: { readonly accounts: Pick<StoreReader['accounts'], 'find' | 'list' | 'deleted'> };
  readonly onCommit: (listener: ChangeListener, name?: string) => () => void;
  readonly isLeader: () => Promise<boolean>;
};

type RetentionLog = {
  readonly accounts: () => Promise<readonly string[]>;
  readonly deleteAccount: (account: string) => Promise<void>;
  readonly applyRetention: (cutoffs: (account: string) => number) => Promise<void>;
};

/** Deletes expired log rows, tokens, one-time tokens and network clients, and the logs of deleted accounts. */
export async function applyRetention(
  store: RetentionStore,
  log: RetentionLog,
  now: number,
  { sessionIdleMinutes, sessionKeepDays }: SessionLimits,
): Promise<void> {
  const surely = now - CLOCKS_APART_MS;
  const idleMs = sessionIdleMinutes > 0 ? sessionIdleMinutes * MINUTE_MS : PAGE_SESSION_SECONDS * 1000;
  await store.inTransaction(async ({ tokens, oneTimeTokens, throttles, networkClients, storedReplies }) => {
    // Tolerance, because the time of the last use is written only once a minute.
    await tokens.expire(surely, {
      pages: surely - idleMs - 2 * MINUTE_MS,
      persistent: surely - sessionKeepDays * DAY_MS - 2 * MINUTE_MS,
    });
    await oneTimeTokens.expire(surely);
    await throttles.expire(surely - THROTTLE_MS);
    await networkClients.expire(surely - NETWORK_CLIENT_DAYS * DAY_MS);
    await storedReplies.expire(surely - STORED_REPLY_MS);
  });
  await removeDeleted(store, log);
  const retention = await retentionDays(store);
  await log.applyRetention((account) => {
    const days = retention.get(account as AccountId);
    return days === undefined ? 0 : now - days * DAY_MS;
  });
}

/** Removes log rows and statistics whose account does not exist. */
async function removeDeleted(store: RetentionStore, log: RetentionLog): Promise<void> {
  // Reads the log first: an account that is created meanwhile is in the store before it has rows.
  const logged = await log.accounts();
  const existing = await retentionDays(store);
  const unknown = logged.filter((account) => !existing.has(account as AccountId));
  if (unknown.length === 0) return;
  // An empty store may be a lost one; then only accounts that are deleted according to its audit log are removed.
  const deleted = existing.size > 0 ? undefined : new Set<string>(await store.read.accounts.deleted());
  for (const account of unknown) if (!deleted || deleted.has(account)) await log.deleteAccount(account);
}

async function retentionDays(store: RetentionStore): Promise<ReadonlyMap<AccountId, number>> {
  const days = new Map<AccountId, number>();
  for (let after = ''; ; ) {
    const accounts = await store.read.accounts.list({ after });
    for (const { id, logRetentionDays } of accounts) days.set(id, logRetentionDays);
    const last = accounts.at(-1);
    if (!last) return days;
    after = last.id;
  }
}

/** Runs the retention at start and every hour, and deletes logs of deleted accounts immediately. Failures are reported and retried. */
export function applyRetentionRegularly(
  store: RetentionStore,
  log: RetentionLog,
  sessionLimits: SessionLimits,
  onProblem: (problem: unknown) => void,
) {
  let inFlight: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  const queue = (work: () => Promise<void>): void => {
    inFlight = inFlight.then(work).catch((problem: unknown) => {
      onProblem(problem);
      clearTimeout(retry);
      retry = setTimeout(applyAll, RETRY_MS).unref();
    });
  };
  const applyAll = (): void =>
    queue(async () => {
      if (await store.isLeader()) await applyRetention(store, log, Date.now(), sessionLimits);
    });
  const removeOf = async (changed: ChangedAccounts): Promise<void> => {
    if (changed === 'all') return removeDeleted(store, log);
    for (const account of changed) if (!(await store.read.accounts.find(account))) await log.deleteAccount(account);
  };
  // Not awaited by the transaction.
  const stopListening = store.onCommit((changed) => queue(() => removeOf(changed)), 'the query log');
  const timer = setInterval(applyAll, EVERY_MS).unref();
  applyAll();
  return {
    stop: async (): Promise<void> => {
      stopListening();
      clearInterval(timer);
      await inFlight;
      clearTimeout(retry);
    },
  };
}

import { limitsOf } from '../domain/account-limits.ts';
import { type LimitKind, limitKinds } from '../domain/domain-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { monthStart } from '../domain/local-time.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { ok } from '../kit/result.ts';
import { findAccount } from '../operations/find-account.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { AccountLimits, limitsToWire, type Usage } from './wire/limits.ts';

/** The limits of an account and their current usage. */
export async function usageOf(
  store: StoreReader,
  account: AccountId,
  { plans, log, now }: Pick<Deps, 'plans' | 'log' | 'now'>,
): Promise<Readonly<Record<LimitKind, Usage>>> {
  const accountRecord = await findAccount(store, account);
  const limits = limitsOf(accountRecord, plans);
  const requests = await log.requestsSince(account, monthStart(now(), accountRecord.timeZone));
  const used = { ...(await store.accounts.counts(account)), requests };
  return Object.fromEntries(limitKinds.map((kind) => [kind, { limit: limits[kind], used: used[kind] }])) as Readonly<
    Record<LimitKind, Usage>
  >;
}

export const accountLimitOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/account/limits',
    operationId: 'getAccountLimits',
    group: 'Account',
    summary: 'Get account limits',
    description: 'Each limit has the maximum of the plan and the current usage. 2147483647 means unlimited.',
    reply: AccountLimits,
    responseDescription: 'The limits and their current usage; requests are counted per calendar month.',
    run: async (store, { caller }, deps) => ok(limitsToWire(await usageOf(store, caller.account, deps))),
  }),
];

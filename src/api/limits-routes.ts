import type { Account } from '../domain/account.ts';
import { type Limits, limitsOf } from '../domain/account-limits.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Deps } from './deps.ts';
import type { Reading } from './store-deps.ts';

type Accounts = { readonly accounts: Pick<Reading['accounts'], 'find'> };

/** Credentials lead to accounts that exist: without one, something is broken. */
export async function accountOf(store: Accounts, account: AccountId): Promise<Account> {
  const found = await store.accounts.find(account);
  if (!found) throw new Error(`there is no account ${account}`);
  return found;
}

export const limitsFor = async (store: Accounts, account: AccountId, { plans }: Pick<Deps, 'plans'>): Promise<Limits> =>
  limitsOf(await accountOf(store, account), plans);

import type { Account } from '../domain/account.ts';
import { type Limits, limitsOf, type Plans } from '../domain/account-limits.ts';
import type { AccountId } from '../domain/ids.ts';
import type { StoreReader } from '../domain/repositories.ts';

type Accounts = { readonly accounts: Pick<StoreReader['accounts'], 'find'> };

/** Throws if the account does not exist: credentials and devices always belong to one. */
export async function findAccount(store: Accounts, account: AccountId): Promise<Account> {
  const found = await store.accounts.find(account);
  if (!found) throw new Error(`account ${account} does not exist`);
  return found;
}

export const limitsFor = async (
  store: Accounts,
  account: AccountId,
  { plans }: { readonly plans: Plans },
): Promise<Limits> => limitsOf(await findAccount(store, account), plans);

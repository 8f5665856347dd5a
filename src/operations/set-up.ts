import type { User } from '../domain/account.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, type Result } from '../kit/result.ts';
import { type AccountRequest, createAccount } from './create-account.ts';
import type { Clock, Random, Sha256, Transactions } from './deps.ts';
import { hashOf, issue } from './new-secrets.ts';

const SET_UP_MS = 30 * 60_000;

type Reads = { readonly accounts: Pick<StoreReader['accounts'], 'count'> };

/** Issues the token that creates the first account, valid for 30 minutes; undefined if an account exists. */
export async function offerSetUp(
  deps: Clock & Random & Sha256 & { readonly store: Transactions['store'] & { readonly read: Reads } },
): Promise<string | undefined> {
  if ((await deps.store.read.accounts.count()) > 0) return undefined;
  const { secret, hash } = issue(deps, 'set-up');
  await deps.store.inTransaction(({ oneTimeTokens }) => oneTimeTokens.setUp.put(hash, deps.now() + SET_UP_MS));
  return secret;
}

type SetUpReads = Reads & { readonly oneTimeTokens: Pick<StoreReader['oneTimeTokens'], 'peek'> };

/** Whether the token may create the first account, without using it up. */
export const isSetUpToken = async (read: SetUpReads, deps: Clock & Sha256, token: string): Promise<boolean> =>
  (await read.accounts.count()) === 0 &&
  (await read.oneTimeTokens.peek('set-up', hashOf(deps, token), deps.now())) !== undefined;

export type WrongToken = { readonly kind: 'wrong token' };

/** In a transaction: uses the token up and creates the first account. */
export async function createFirstAccount(
  tx: Transaction,
  deps: Clock & Random & Sha256,
  token: string,
  { from, ...request }: AccountRequest & { readonly from: string },
): Promise<Result<User, Conflict | WrongToken>> {
  if ((await tx.accounts.count()) > 0) return err({ kind: 'wrong token' });
  if (!(await tx.oneTimeTokens.setUp.take(hashOf(deps, token), deps.now()))) return err({ kind: 'wrong token' });
  return createAccount(tx, deps, request, { by: request.email, from });
}

import type { User } from '../domain/account.ts';
import { toBase32 } from '../domain/base-encoding.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, type Result } from '../kit/result.ts';
import { type AccountRequest, createAccount } from './create-account.ts';
import type { Clock, Random, Sha256, Transactions } from './deps.ts';
import { hashOf } from './new-secrets.ts';

const SET_UP_MS = 30 * 60_000;

type Reads = { readonly accounts: Pick<StoreReader['accounts'], 'count'> };

// 60 bits: short enough to be typed, too long to be guessed within its 30 minutes.
const CODE_LETTERS = 12;
const CODE_BYTES = 8;

const newCode = ({ random }: Random): string =>
  toBase32(random(CODE_BYTES))
    .slice(0, CODE_LETTERS)
    .replaceAll(/(.{4})(?=.)/g, '$1-');

/** Accepts any case and any separators. */
const codeHash = (deps: Sha256, code: string): string => hashOf(deps, code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));

/** Issues the code that creates the first account, valid for 30 minutes; undefined if an account exists. */
export async function offerSetUp(
  deps: Clock & Random & Sha256 & { readonly store: Transactions['store'] & { readonly read: Reads } },
): Promise<string | undefined> {
  if ((await deps.store.read.accounts.count()) > 0) return undefined;
  const code = newCode(deps);
  await deps.store.inTransaction(({ oneTimeTokens }) =>
    oneTimeTokens.setUp.put(codeHash(deps, code), deps.now() + SET_UP_MS),
  );
  return code;
}

type SetUpReads = Reads & { readonly oneTimeTokens: Pick<StoreReader['oneTimeTokens'], 'peek'> };

/** Whether the code may create the first account, without consuming it. */
export const isSetUpToken = async (read: SetUpReads, deps: Clock & Sha256, token: string): Promise<boolean> =>
  (await read.accounts.count()) === 0 &&
  (await read.oneTimeTokens.peek('set-up', codeHash(deps, token), deps.now())) !== undefined;

export type WrongToken = { readonly kind: 'wrong token' };

/** In a transaction: consumes the code and creates the first account. */
export async function createFirstAccount(
  tx: Transaction,
  deps: Clock & Random & Sha256,
  token: string,
  { from, ...request }: AccountRequest & { readonly from: string },
): Promise<Result<User, Conflict | WrongToken>> {
  if ((await tx.accounts.count()) > 0) return err({ kind: 'wrong token' });
  if (!(await tx.oneTimeTokens.setUp.take(codeHash(deps, token), deps.now()))) return err({ kind: 'wrong token' });
  return createAccount(tx, deps, request, { by: request.email, from });
}

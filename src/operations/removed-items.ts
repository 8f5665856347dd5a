import type { AccountId } from '../domain/ids.ts';
import { type RemovedWhat, removedKind } from '../domain/one-time-token.ts';
import type { Transaction } from '../domain/repositories.ts';
import { MINUTE_MS } from '../kit/durations.ts';
import type { Clock, Sha256 } from './deps.ts';
import { hashOf } from './new-secrets.ts';

/** Time for which a removed item can be restored. */
export const RESTORABLE_MS = MINUTE_MS;

type Removed = { readonly what: RemovedWhat; readonly account: AccountId; readonly id: string };

/** Stores the content that `takeRemoved` returns once. */
export async function putRemoved(
  tx: Pick<Transaction, 'oneTimeTokens'>,
  deps: Clock & Sha256,
  { what, account, id }: Removed,
  content: unknown,
): Promise<void> {
  const now = deps.now();
  await tx.oneTimeTokens.expire(now);
  await tx.oneTimeTokens.put({
    kind: removedKind(what, account),
    hash: hashOf(deps, id),
    content,
    expiresAt: now + RESTORABLE_MS,
  });
}

/** Undefined if the item was not removed from this account, was restored already, or was removed too long ago. */
export async function takeRemoved(
  tx: Pick<Transaction, 'oneTimeTokens'>,
  deps: Clock & Sha256,
  { what, account, id }: Removed,
): Promise<unknown> {
  return (await tx.oneTimeTokens.take(removedKind(what, account), hashOf(deps, id), deps.now()))?.content;
}

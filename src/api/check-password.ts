import type { User } from '../domain/account.ts';
import { parseEmail } from '../domain/account-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { afterFailure, checkThrottle, type LoginThrottle, refund, throttleKeys } from '../domain/login-throttle.ts';
import { passwordForHashing } from '../domain/password-rules.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

const BUSY_SECONDS = 2;

type Given = { readonly email: string; readonly password: string; readonly from: string };

/** A running attempt counts as failed until it is refunded. */
export type Attempt = {
  readonly user: User;
  /** Call it in the transaction that uses the password. */
  readonly refund: (store: Transaction) => Promise<void>;
  /** A new hash of the same password if the stored one has outdated parameters. */
  readonly newerHash: string | undefined;
};

/** Checks the password. Neither the timing nor the message reveals whether the user exists. */
export async function checkPassword(deps: Deps, given: Given): Promise<Result<Attempt, ApiError>> {
  // An invalid address belongs to no user: skip the lookup.
  const email = parseEmail(given.email) ?? '';
  // Before any write: a flood of requests must not become a flood of writes.
  if (!deps.passwords.hasRoom(given.from)) return err({ kind: 'slow down', retryAfterSeconds: BUSY_SECONDS });
  const begun = await beginTry(deps, email, given.from);
  if (!begun.ok) return begun;
  const { read } = deps.store;
  const password = passwordForHashing(given.password);
  const user = await read.users.byEmail(email);
  const hash = user?.passwordHash ?? deps.passwords.dummyHash;
  const verdict = await deps.passwords.verify(password, hash, given.from).catch(async (fault: unknown) => {
    // The password was not checked, so the attempt does not count.
    await deps.store.inTransaction(begun.value);
    throw fault;
  });
  if (!user || verdict === 'wrong') {
    await noteFailure(deps, user, given.from);
    return err({ kind: 'unauthorized', why: 'wrong sign-in' });
  }
  const newerHash = verdict === 'right' ? undefined : await deps.passwords.hash(password, given.from);
  return ok({ user, newerHash, refund: begun.value });
}

/** For a signed-in user: a wrong password is an invalid field, and the tokens stay valid. */
export async function provePassword(deps: Deps, given: Given, field = 'password'): Promise<Result<Attempt, ApiError>> {
  const tried = await checkPassword(deps, given);
  return !tried.ok && tried.error.kind === 'unauthorized' ? err(invalid(field, 'is wrong')) : tried;
}

async function beginTry(deps: Deps, email: string, from: string): Promise<Result<Attempt['refund'], ApiError>> {
  const { accountFromAddress, address } = throttleKeys(email, from);
  return deps.store.inTransaction(async (store) => {
    const counted = await countAttempt(store, deps, [accountFromAddress, address]);
    if (!counted.ok) return counted;
    return ok(async (store: Transaction) => {
      await store.throttles.remove(accountFromAddress);
      await refundAttempt(store, address);
    });
  });
}

/** Counts an attempt as failed for each key, unless one of them has to wait. */
export async function countAttempt(
  { throttles }: Pick<Transaction, 'throttles'>,
  { now: clock }: Pick<Deps, 'now'>,
  keys: readonly string[],
): Promise<Result<void, ApiError>> {
  const now = clock();
  const before = new Map<string, LoginThrottle | undefined>();
  for (const key of keys) before.set(key, await throttles.get(key));
  const waits = Array.from(before.values(), (throttle) => checkThrottle(throttle, now));
  const longest = Math.max(...waits.map((wait) => (wait.kind === 'wait' ? wait.ms : 0)));
  if (longest > 0) return err({ kind: 'slow down', retryAfterSeconds: longest / 1000 });
  for (const [key, throttle] of before) await throttles.put(key, afterFailure(throttle, now));
  return ok(undefined);
}

/** Concurrent attempts from this address stay counted. */
export async function refundAttempt({ throttles }: Transaction, key: string): Promise<void> {
  const throttle = await throttles.get(key);
  const refunded = throttle && refund(throttle);
  if (refunded) await throttles.put(key, refunded);
  else await throttles.remove(key);
}

/** One write in both cases: the timing must not reveal whether the user exists. */
export const noteFailure = (deps: Deps, user: User | undefined, from: string): Promise<void> =>
  deps.store.inTransaction(({ audit, throttles }) =>
    user
      ? audit.add(auditEntry(deps, { account: user.account, by: user.email, from }, { action: 'session.refused' }))
      : throttles.put('nobody', { failures: 0, lastFailureAt: deps.now() }),
  );

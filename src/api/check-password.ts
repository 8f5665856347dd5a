import type { User } from '../domain/account.ts';
import { parseEmail } from '../domain/account-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { throttleKeys } from '../domain/login-throttle.ts';
import { passwordForHashing } from '../domain/password-rules.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { countAttempt, type Refund } from './count-attempts.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

const BUSY_SECONDS = 2;

type Given = { readonly email: string; readonly password: string; readonly from: string };

/** An attempt is counted as failed until it is refunded. */
export type Attempt = {
  readonly user: User;
  readonly refund: Refund;
  /** A new hash of the same password if the stored one has outdated parameters. */
  readonly newerHash: string | undefined;
};

/** Checks the password. Neither the timing nor the message reveals whether the user exists. */
export async function checkPassword(deps: Deps, credentials: Given): Promise<Result<Attempt, ApiError>> {
  // No user has an invalid address, so the lookup is skipped.
  const email = parseEmail(credentials.email) ?? '';
  // Checked before any write, so that a flood of requests does not become a flood of writes.
  if (!deps.passwords.hasRoom(credentials.from)) return err({ kind: 'slow down', retryAfterSeconds: BUSY_SECONDS });
  const { accountFromAddress, address } = throttleKeys(email, credentials.from);
  const begun = await countAttempt(deps, { cleared: [accountFromAddress], refunded: [address] });
  if (!begun.ok) return begun;
  const { read } = deps.store;
  const password = passwordForHashing(credentials.password);
  const user = await read.users.byEmail(email);
  const hash = user?.passwordHash ?? deps.passwords.dummyHash;
  const verdict = await deps.passwords.verify(password, hash, credentials.from).catch(async (fault: unknown) => {
    // The password was not checked, so the attempt is refunded.
    await deps.store.inTransaction(begun.value);
    throw fault;
  });
  if (!user || verdict === 'wrong') {
    await noteFailure(deps, user, credentials.from);
    return err({ kind: 'unauthorized', why: 'wrong sign-in' });
  }
  const newerHash = verdict === 'right' ? undefined : await deps.passwords.hash(password, credentials.from);
  return ok({ user, newerHash, refund: begun.value });
}

/** For a signed-in user: a wrong password is an invalid field, and the tokens stay valid. */
export async function provePassword(
  deps: Deps,
  credentials: Given,
  field = 'password',
): Promise<Result<Attempt, ApiError>> {
  const tried = await checkPassword(deps, credentials);
  return !tried.ok && tried.error.kind === 'unauthorized' ? err(invalid(field, 'is wrong')) : tried;
}

/** Both cases write once, so that the timing does not reveal whether the user exists. */
export const noteFailure = (deps: Deps, user: User | undefined, from: string): Promise<void> =>
  deps.store.inTransaction(({ audit, throttles }) =>
    user
      ? audit.add(auditEntry(deps, { account: user.account, by: user.email, from }, { action: 'session.refused' }))
      : throttles.put('nobody', { failures: 0, lastFailureAt: deps.now() }),
  );

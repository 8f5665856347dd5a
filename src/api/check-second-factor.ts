import type { User } from '../domain/account.ts';
import { invalid } from '../domain/domain-error.ts';
import { afterFailure, checkThrottle, factorThrottleKey } from '../domain/login-throttle.ts';
import { recoveryCodeForHashing, useRecoveryCode } from '../domain/recovery-codes.ts';
import type { Transaction } from '../domain/repositories.ts';
import { acceptTotp } from '../domain/totp.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

type Factor =
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'slow down'; readonly retryAfterSeconds: number }
  /** The user without the consumed code; the caller stores it. */
  | { readonly kind: 'right'; readonly user: User };

/**
 * Checks a two-factor code or recovery code, after the password and in the transaction that uses it. Wrong codes are throttled per user,
 * independent of the address, because only clients with the right password reach this check.
 */
export async function checkFactor(
  { throttles }: Pick<Transaction, 'throttles'>,
  deps: Deps,
  user: User,
  code: string | undefined,
): Promise<Factor> {
  if (user.totpSecret === undefined) return { kind: 'right', user };
  if (code === undefined || code.trim() === '') return { kind: 'missing' };
  const key = factorThrottleKey(user.id);
  const throttle = await throttles.get(key);
  const now = deps.now();
  const wait = checkThrottle(throttle, now);
  if (wait.kind === 'wait') return { kind: 'slow down', retryAfterSeconds: wait.ms / 1000 };
  const used = withCodeUsed(deps, user, user.totpSecret, code);
  if (!used) {
    await throttles.put(key, afterFailure(throttle, now));
    return { kind: 'wrong' };
  }
  if (throttle) await throttles.remove(key);
  return { kind: 'right', user: used };
}

function withCodeUsed(deps: Deps, user: User, secret: string, code: string): User | undefined {
  const step = acceptTotp({ secret, code, now: deps.now(), lastStep: user.totpLastStep }, deps.hmacSha1);
  if (step !== undefined) return { ...user, totpLastStep: step };
  const left = useRecoveryCode(user.recoveryCodeHashes, hashOf(deps, recoveryCodeForHashing(code)));
  return left && { ...user, recoveryCodeHashes: left };
}

/** The same check for a signed-in user: a missing or wrong code is an error of its field. */
export async function proveFactor(
  store: Pick<Transaction, 'throttles'>,
  deps: Deps,
  user: User,
  code: string | undefined,
): Promise<Result<User, ApiError>> {
  const factor = await checkFactor(store, deps, user, code);
  switch (factor.kind) {
    case 'right':
      return ok(factor.user);
    case 'missing':
      return err(invalid('code', 'A two-factor authentication code is required', 'required'));
    case 'wrong':
      return err(invalid('code', 'is wrong'));
    case 'slow down':
      return err(factor);
  }
}

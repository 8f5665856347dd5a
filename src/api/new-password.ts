import { invalid } from '../domain/domain-error.ts';
import { passwordError, passwordForHashing } from '../domain/password-rules.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

/** Hashes a new password, or returns the reason why it is rejected. */
export async function hashNew(
  { passwords }: Deps,
  { password, email, from }: { readonly password: string; readonly email: string; readonly from: string },
  field = 'password',
): Promise<Result<string, ApiError>> {
  const why = passwordError(password, email);
  return why === undefined ? ok(await passwords.hash(passwordForHashing(password), from)) : err(invalid(field, why));
}

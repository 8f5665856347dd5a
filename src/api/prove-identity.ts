import Type from 'typebox';
import type { User } from '../domain/account.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import { type Attempt, provePassword } from './check-password.ts';
import { proveFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { object } from './wire/named.ts';
import { Password } from './wire/people.ts';

// A signed-in user proves the password again before changes of the credentials.

export const PasswordProof = object('PasswordProof', 'Password, and a code if two-factor authentication is enabled.', {
  password: Password,
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Two-factor code or recovery code; required if two-factor authentication is enabled.',
    }),
  ),
});
type Proof = { readonly password: string; readonly code?: string };
type OperationInput = { readonly caller: Caller; readonly body: Proof; readonly from: string };

export const prove = (deps: Deps, { caller, body, from }: OperationInput): Promise<Result<Attempt, ApiError>> =>
  provePassword(deps, { email: caller.email, password: body.password, from });

/** The member after the password and, if two-factor authentication is enabled, the code were checked. */
export async function provedMember(
  store: Transaction,
  deps: Deps,
  { caller, body }: Pick<OperationInput, 'caller' | 'body'>,
  { refund }: Attempt,
): Promise<Result<User, ApiError>> {
  await refund(store);
  return proveFactor(store, deps, await memberOf(store, caller), body.code);
}

export async function memberOf(store: Transaction, { account, user }: Caller): Promise<User> {
  const member = await store.users.find(account, user);
  if (!member) throw new Error('the user of the credentials does not exist');
  return member;
}

import Type from 'typebox';
import type { User } from '../domain/account.ts';
import { invalid } from '../domain/domain-error.ts';
import { RANDOM_BYTES_OF_RECOVERY_CODES, recoveryCodeForHashing, recoveryCodes } from '../domain/recovery-codes.ts';
import type { Transaction } from '../domain/repositories.ts';
import { acceptTotp, newTotpSecret, otpauthUri, RANDOM_BYTES_OF_TOTP_SECRET } from '../domain/totp.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Caller } from './authenticate.ts';
import { type Attempt, provePassword } from './check-password.ts';
import { proveFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { mutation, type Operation } from './operation.ts';
import { object } from './wire/named.ts';
import { Password } from './wire/people.ts';

const group = 'Second factor';
const TICKET = 'second factor';
const BEGUN_MS = 15 * 60_000;

const PasswordProof = object('PasswordProof', 'The password, and a code where a second factor is on.', {
  password: Password,
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Of the second factor, or a recovery code; only with a second factor.',
    }),
  ),
});
const SecondFactorCode = object('SecondFactorCode', 'A code that the program shows now.', {
  code: Type.String({ maxLength: 100 }),
});
const SecondFactor = object('SecondFactor', 'For a program that shows codes; by the address or typed in.', {
  secret: Type.String(),
  uri: Type.String(),
});
const RecoveryCodes = object('RecoveryCodes', 'Each signs in once without the second factor. Shown only now.', {
  recovery_codes: Type.Array(Type.String()),
});

type Proof = { readonly password: string; readonly code?: string };
type OperationInput = { readonly caller: Caller; readonly body: Proof; readonly from: string };

const prove = (deps: Deps, { caller, body, from }: OperationInput): Promise<Result<Attempt, ApiError>> =>
  provePassword(deps, { email: caller.email, password: body.password, from });

/** The member, after the password, a code where a second factor is on. */
async function provedMember(
  store: Transaction,
  deps: Deps,
  { caller, body }: Pick<OperationInput, 'caller' | 'body'>,
  { refund }: Attempt,
): Promise<Result<User, ApiError>> {
  await refund(store);
  return proveFactor(store, deps, await memberOf(store, caller), body.code);
}

async function memberOf(store: Transaction, { account, user }: Caller): Promise<User> {
  const member = await store.users.find(account, user);
  if (!member) throw new Error('credentials lead to nobody');
  return member;
}

const ticketOf = (deps: Deps, { user }: Caller): string => hashOf(deps, `${TICKET} ${user}`);

function newCodes(deps: Deps): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = recoveryCodes(deps.random(RANDOM_BYTES_OF_RECOVERY_CODES));
  return { codes, hashes: codes.map((code) => hashOf(deps, recoveryCodeForHashing(code))) };
}

const operation = { group, requires: 'self', errors: [400, 429] } as const;

export const secondFactorOperations: readonly Operation[] = [
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor',
    operationId: 'beginSecondFactor',
    summary: 'Begin to use a second factor',
    description:
      'Nothing changes before it is confirmed with a code. To replace a second factor, give a code of the old one.',
    body: PasswordProof,
    reply: SecondFactor,
    responseDescription: 'The secret.',
    prepare: prove,
    run: async (store, input, deps, tried) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const { caller } = input;
      await store.users.update(proved.value);
      const secret = newTotpSecret(deps.random(RANDOM_BYTES_OF_TOTP_SECRET));
      const hash = ticketOf(deps, caller);
      await store.oneTimeTokens.take(TICKET, hash, deps.now());
      await store.oneTimeTokens.put({ kind: TICKET, hash, content: secret, expiresAt: deps.now() + BEGUN_MS });
      const reply = { secret, uri: otpauthUri(deps.productName, caller.email, secret) };
      return ok({ reply, audit: { action: 'second_factor.begin', subject: caller.user } });
    },
  }),
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Confirm the second factor with a code',
    body: SecondFactorCode,
    reply: RecoveryCodes,
    responseDescription: 'It is in use. Keep these codes.',
    run: async (store, { caller, body }, deps) => {
      const now = deps.now();
      const hash = ticketOf(deps, caller);
      const oneTimeToken = await store.oneTimeTokens.take(TICKET, hash, now);
      if (!oneTimeToken) return err(invalid('code', 'nothing was begun, or it is too long ago: begin again'));
      const secret = String(oneTimeToken.content);
      const step = acceptTotp({ secret, code: body.code, now, lastStep: undefined }, deps.hmacSha1);
      // With the wrong code what was begun is over: no secret can be guessed at.
      if (step === undefined) return err(invalid('code', 'is wrong: begin again'));
      const { codes, hashes } = newCodes(deps);
      const member = await memberOf(store, caller);
      await store.users.update({ ...member, totpSecret: secret, totpLastStep: step, recoveryCodeHashes: hashes });
      return ok({
        reply: { recovery_codes: codes },
        audit: { action: 'second_factor.enable', subject: caller.user },
      });
    },
  }),
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor/disable',
    operationId: 'disableSecondFactor',
    summary: 'Switch the second factor off',
    description: 'Takes the password and a code of the second factor, or a recovery code.',
    body: PasswordProof,
    responseDescription: 'The password is enough from now on.',
    prepare: prove,
    run: async (store, input, deps, tried) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const { caller } = input;
      await store.users.update({
        ...proved.value,
        totpSecret: undefined,
        totpLastStep: undefined,
        recoveryCodeHashes: [],
      });
      return ok({ reply: undefined, audit: { action: 'second_factor.disable', subject: caller.user } });
    },
  }),
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor/recovery_codes',
    operationId: 'createRecoveryCodes',
    summary: 'Get new recovery codes',
    description: 'The old ones are void. Takes the password and a code.',
    body: PasswordProof,
    reply: RecoveryCodes,
    responseDescription: 'The codes.',
    prepare: prove,
    run: async (store, input, deps, tried) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const { caller } = input;
      const member = proved.value;
      if (member.totpSecret === undefined) return err(invalid('password', 'there is no second factor to recover'));
      const { codes, hashes } = newCodes(deps);
      await store.users.update({ ...member, recoveryCodeHashes: hashes });
      return ok({
        reply: { recovery_codes: codes },
        audit: { action: 'second_factor.recovery_codes', subject: caller.user },
      });
    },
  }),
];

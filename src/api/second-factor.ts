import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { RANDOM_BYTES_OF_RECOVERY_CODES, recoveryCodeForHashing, recoveryCodes } from '../domain/recovery-codes.ts';
import { acceptTotp, newTotpSecret, otpauthUri, RANDOM_BYTES_OF_TOTP_SECRET } from '../domain/totp.ts';
import { err, ok } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { mutation, type Operation } from './operation.ts';
import { memberOf, PasswordProof, prove, provedMember } from './prove-identity.ts';
import { object } from './wire/named.ts';

const group = 'Two-factor authentication';
const TOKEN_KIND = 'second factor';
const BEGUN_MS = 15 * 60_000;

const SecondFactorCode = object('SecondFactorCode', 'Current code of the authenticator app.', {
  code: Type.String({ maxLength: 100 }),
});
const SecondFactor = object('SecondFactor', 'Secret for an authenticator app, as URI and as text.', {
  secret: Type.String(),
  uri: Type.String(),
});
const RecoveryCodes = object(
  'RecoveryCodes',
  'Recovery codes; each can be used once instead of a two-factor code. Returned only in this response.',
  {
    recovery_codes: Type.Array(Type.String()),
  },
);

/** A setup that is not confirmed yet. */
type Begun = { readonly secret: string; readonly expiresAt: number; readonly wrongCodes: number };
// Allows typing errors without a new QR code, but no guessing.
const MAX_WRONG_CODES = 5;

const tokenHashOf = (deps: Deps, { user }: Caller): string => hashOf(deps, `${TOKEN_KIND} ${user}`);

function newCodes(deps: Deps): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = recoveryCodes(deps.random(RANDOM_BYTES_OF_RECOVERY_CODES));
  return { codes, hashes: codes.map((code) => hashOf(deps, recoveryCodeForHashing(code))) };
}

const operation = { group, requires: 'self', commitsErrors: true, errors: [400, 429] } as const;

export const secondFactorOperations: readonly Operation[] = [
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor',
    operationId: 'beginSecondFactor',
    summary: 'Start two-factor setup',
    description:
      'The setup takes effect when it is confirmed with a code. To replace an existing second factor, give a code of it.',
    body: PasswordProof,
    reply: SecondFactor,
    responseDescription: 'Secret for the authenticator app.',
    prepare: prove,
    run: async (store, input, deps, tried) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const { caller } = input;
      await store.users.update(proved.value);
      const secret = newTotpSecret(deps.random(RANDOM_BYTES_OF_TOTP_SECRET));
      const hash = tokenHashOf(deps, caller);
      await store.oneTimeTokens.take(TOKEN_KIND, hash, deps.now());
      const content: Begun = { secret, expiresAt: deps.now() + BEGUN_MS, wrongCodes: 0 };
      await store.oneTimeTokens.put({ kind: TOKEN_KIND, hash, content, expiresAt: content.expiresAt });
      const reply = { secret, uri: otpauthUri(deps.productName, caller.email, secret) };
      return ok({ reply, audit: { action: 'second_factor.begin', subject: caller.user } });
    },
  }),
  mutation({
    ...operation,
    method: 'POST',
    path: '/api/v1/second_factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Confirm two-factor setup',
    description: 'The code of the authenticator app confirms the setup. From then on, signing in requires a code.',
    body: SecondFactorCode,
    reply: RecoveryCodes,
    responseDescription: 'Two-factor authentication is enabled. Save the recovery codes.',
    run: async (store, { caller, body }, deps) => {
      const now = deps.now();
      const hash = tokenHashOf(deps, caller);
      const oneTimeToken = await store.oneTimeTokens.take(TOKEN_KIND, hash, now);
      // Earlier versions stored only the secret.
      if (!oneTimeToken || typeof oneTimeToken.content === 'string')
        return err(invalid('code', 'no setup is in progress or it has expired: start the setup again'));
      const begun = oneTimeToken.content as Begun;
      const { secret } = begun;
      const step = acceptTotp({ secret, code: body.code, now, lastStep: undefined }, deps.hmacSha1);
      if (step === undefined) {
        const wrongCodes = begun.wrongCodes + 1;
        if (wrongCodes >= MAX_WRONG_CODES) return err(invalid('code', 'is wrong too often: start the setup again'));
        const { expiresAt } = begun;
        await store.oneTimeTokens.put({ kind: TOKEN_KIND, hash, content: { ...begun, wrongCodes }, expiresAt });
        return err(invalid('code', 'is wrong: enter the code that the app shows now'));
      }
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
    summary: 'Disable two-factor authentication',
    description: 'Requires the password and a two-factor code or recovery code.',
    body: PasswordProof,
    responseDescription: 'Two-factor authentication is disabled.',
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
    summary: 'Generate new recovery codes',
    description: 'The previous codes become invalid. Requires the password and a code.',
    body: PasswordProof,
    reply: RecoveryCodes,
    responseDescription: 'The new recovery codes.',
    prepare: prove,
    run: async (store, input, deps, tried) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const { caller } = input;
      const member = proved.value;
      if (member.totpSecret === undefined) return err(invalid('password', 'two-factor authentication is not enabled'));
      const { codes, hashes } = newCodes(deps);
      await store.users.update({ ...member, recoveryCodeHashes: hashes });
      return ok({
        reply: { recovery_codes: codes },
        audit: { action: 'second_factor.recovery_codes', subject: caller.user },
      });
    },
  }),
];

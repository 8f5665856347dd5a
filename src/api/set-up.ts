import Type from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { isTimeZone } from '../domain/local-time.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { retryOnIdCollision } from '../operations/retry-on-id-collision.ts';
import { createFirstAccount, isSetUpToken } from '../operations/set-up.ts';
import { transact } from '../operations/transact.ts';
import type { ApiError } from './errors.ts';
import { hashNew } from './new-password.ts';
import { type Operation, publicRoute } from './operation.ts';
import { answerSession } from './session-cookie.ts';
import { openSession, sessionKindFor } from './sign-in.ts';
import { int32, object } from './wire/named.ts';
import { Email, Password, Session } from './wire/people.ts';

const SetUp = object('SetUp', 'First account and its owner.', {
  token: Type.String({ maxLength: 200, description: 'Setup token from the log of the first start.' }),
  email: Email,
  password: Password,
  time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'For example `Europe/Berlin`. Default: UTC.' })),
});

const SetUpState = object('SetUpState', 'Setup status, and what the sign-in page offers.', {
  is_done: Type.Boolean(),
  session_keep_days: int32({
    description: 'Days without use after which a browser that stays signed in is signed out; 0: not offered.',
  }),
});

export const wrongSetUpToken = err(
  invalid('token', 'is invalid, used or expired; restart the program to get a new one'),
);

export const setUpOperations: readonly Operation[] = [
  publicRoute({
    method: 'GET',
    path: '/api/v1/set_up',
    operationId: 'getSetUp',
    group: 'Setup',
    summary: 'Get the setup status',
    description: 'Until the first account exists, the setup link of the log creates it.',
    reply: SetUpState,
    responseDescription: 'Whether an account exists.',
    run: async ({ store, sessionKeepDays }) =>
      ok({ is_done: (await store.read.accounts.count()) > 0, session_keep_days: sessionKeepDays }),
  }),
  publicRoute({
    method: 'POST',
    path: '/api/v1/set_up',
    operationId: 'setUp',
    group: 'Setup',
    summary: 'Create the first account',
    description: 'Possible only while no account exists.',
    body: SetUp,
    reply: Session,
    responseDescription: 'Tokens of the owner.',
    errors: [400, 429],
    run: async (deps, { body, from, userAgent, inCookie }) => {
      const email = parseEmail(body.email);
      if (!email) return err(invalid('email', 'must be an e-mail address'));
      const timeZone = body.time_zone ?? 'UTC';
      if (!isTimeZone(timeZone)) return err(invalid('time_zone', 'must be a time zone such as Europe/Berlin'));
      // Checked before the password is hashed, which is expensive.
      if (!(await isSetUpToken(deps.store.read, deps, body.token))) return wrongSetUpToken;
      const passwordHash = await hashNew(deps, { password: body.password, email, from });
      if (!passwordHash.ok) return passwordHash;
      return retryOnIdCollision(() =>
        transact(deps.store, async (store): Promise<Result<ReturnType<typeof answerSession>, ApiError>> => {
          const request = { email, passwordHash: passwordHash.value, plan: 'default', timeZone, from };
          const created = await createFirstAccount(store, deps, body.token, request);
          if (!created.ok) return created.error.kind === 'wrong token' ? wrongSetUpToken : err(created.error);
          const owner = created.value;
          const tokens = await openSession(store, deps, owner, {
            sessionKind: sessionKindFor(inCookie),
            from,
            userAgent,
          });
          return ok(answerSession(deps, inCookie, tokens, owner));
        }),
      );
    },
  }),
];

import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { passwordError } from '../domain/password-rules.ts';
import { err, ok } from '../kit/result.ts';
import { provePassword } from './check-password.ts';
import { hashNew } from './new-password.ts';
import { mutation, type Operation, publicRoute, query } from './operation.ts';
import { answerSession, idleMinutesOf, withoutCookie } from './session-cookie.ts';
import { isPersistentSession, openSession, sessionKindFor, sessionKindOf, signIn } from './sign-in.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';
import { object } from './wire/named.ts';
import { Email, Password, Session, SignedInMember, signedInToWire } from './wire/people.ts';

const group = 'Session';
const gone = err({ kind: 'not found', what: 'member' } as const);

const SessionCreate = object('SessionCreate', 'Credentials.', {
  email: Email,
  password: Password,
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Two-factor code or recovery code; required if two-factor authentication is enabled.',
    }),
  ),
  account_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Account to sign in to, if the user belongs to several.' }),
  ),
  keep_signed_in: Type.Optional(
    Type.Boolean({
      description:
        'For browsers (session in a cookie): the session ends only after `session-keep-days` days without use, or when the password is changed.',
    }),
  ),
  rotate_refresh_token: Type.Optional(
    Type.Boolean({
      description: 'Each use of the refresh token replaces it; reuse of a replaced token ends the session.',
    }),
  ),
});

const PasswordUpdate = object('PasswordUpdate', 'Current and new password.', {
  current_password: Password,
  new_password: Password,
});

const createSession = publicRoute({
  method: 'POST',
  path: '/api/v1/session',
  operationId: 'createSession',
  group,
  summary: 'Sign in',
  description:
    'With an e-mail address and a password, and a code if two-factor authentication is enabled. Failed attempts are delayed.',
  body: SessionCreate,
  reply: Session,
  responseDescription: 'Tokens.',
  errors: [400, 429],
  run: async (deps, { body, from, userAgent, inCookie }) => {
    const { email, password, code, account_id: account, rotate_refresh_token: rotates } = body;
    const isPersistent = body.keep_signed_in === true && deps.sessionKeepDays > 0;
    const signedIn = await signIn(deps, {
      email,
      password,
      code,
      from,
      userAgent,
      sessionKind: sessionKindFor(inCookie, isPersistent),
      account,
      rotates,
    });
    if (!signedIn.ok) return signedIn;
    return ok(answerSession(deps, inCookie, signedIn.value.tokens, signedIn.value.user));
  },
});

export const sessionOperations: readonly Operation[] = [
  {
    ...createSession,
    answers: {
      ...createSession.answers,
      401: {
        description: 'Wrong password or code, or the code is missing.',
        content: { 'application/json': AccessTokenErrorResponse },
      },
    },
  },
  query({
    method: 'GET',
    path: '/api/v1/session',
    operationId: 'getSession',
    group,
    summary: 'Get the current user',
    description: 'The user, role and account of the credentials.',
    reply: SignedInMember,
    responseDescription: 'The member that the credentials belong to.',
    errors: [404],
    run: async (store, { caller }, deps) => {
      const user = await store.users.find(caller.account, caller.user);
      const idleMinutes = caller.session === undefined ? 0 : idleMinutesOf(deps, sessionKindOf(caller.session));
      return user ? ok(signedInToWire(user, idleMinutes)) : gone;
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/session',
    operationId: 'removeSession',
    group,
    summary: 'Sign out',
    description: 'Revokes the access token and its refresh token.',
    requires: 'self',
    responseDescription: 'Signed out; the tokens are revoked.',
    run: async (store, { caller, inCookie }) => {
      await store.tokens.removeSession(caller.account, caller.session!);
      return ok({ reply: inCookie && withoutCookie(inCookie), audit: { action: 'session.end' } });
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/password',
    operationId: 'updatePassword',
    group,
    summary: 'Change the password',
    description: 'Ends all sessions of this member and returns tokens of a new one. API keys stay valid.',
    requires: 'self',
    body: PasswordUpdate,
    reply: Session,
    responseDescription: 'New tokens.',
    errors: [400, 429],
    prepare: async (deps, { caller: { email }, body, from }) => {
      // Checked before the current password, so that a rejected new password does not count as a failed attempt.
      const why = passwordError(body.new_password, email);
      if (why !== undefined) return err(invalid('new_password', why));
      const tried = await provePassword(deps, { email, password: body.current_password, from }, 'current_password');
      if (!tried.ok) return tried;
      const hash = await hashNew(deps, { password: body.new_password, email, from }, 'new_password');
      return hash.ok ? ok({ ...tried.value, hash: hash.value }) : hash;
    },
    run: async (store, { caller, inCookie, from, userAgent }, deps, { refund, hash, user: verified }) => {
      const user = await store.users.find(caller.account, caller.user);
      if (!user || user.passwordHash !== verified.passwordHash) return gone;
      await refund(store);
      await store.users.update({ ...user, passwordHash: hash });
      await store.tokens.removeOfUser(caller.account, caller.user);
      const sessionKind = sessionKindFor(inCookie, isPersistentSession(caller.session));
      const tokens = await openSession(store, deps, user, { sessionKind, from, userAgent });
      const reply = answerSession(deps, inCookie, tokens, user);
      return ok({ reply, audit: { action: 'password.update', subject: user.id } });
    },
  }),
];

import Type, { type Static } from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import type { UserSession } from '../domain/credentials.ts';
import { invalid } from '../domain/domain-error.ts';
import { isIdle } from '../domain/refresh-tokens.ts';
import { describeUserAgent } from '../domain/user-agent.ts';
import { err, ok } from '../kit/result.ts';
import { isReserved } from '../operations/operator.ts';
import { provePassword } from './check-password.ts';
import { proveFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { goodUntil, isPersistentSession, lastUseOf, sessionKindOf } from './sign-in.ts';
import { object } from './wire/named.ts';
import { Email, Member, memberToWire, Password } from './wire/people.ts';
import { OpenSession } from './wire/sessions.ts';

const group = 'Session';
const EmailUpdate = object(
  'EmailUpdate',
  'New e-mail address, current password, and a code if two-factor authentication is enabled.',
  {
    email: Email,
    current_password: Password,
    code: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Two-factor code or recovery code; required if two-factor authentication is enabled.',
      }),
    ),
  },
);

type ListedSession = UserSession & { readonly expiresAt: number | undefined };

/** Sessions without a usable refresh token are listed only while their access token is valid. */
const isOpen =
  (deps: Deps) =>
  (session: ListedSession): boolean =>
    sessionKindOf(session.id).kind === 'own program'
      ? !isIdle(session.lastUsedAt, deps.now())
      : Math.min(session.expiresAt ?? 0, goodUntil(deps, session)) > deps.now();

function toWire(deps: Deps, session: ListedSession, current: string | undefined): Static<typeof OpenSession> {
  const { id, createdAt, expiresAt, address } = session;
  const sessionKind = sessionKindOf(id);
  const isPersistent = isPersistentSession(id);
  const endsAt = isPersistent ? Math.min(expiresAt ?? 0, goodUntil(deps, session)) : expiresAt;
  return {
    id,
    kind: sessionKind.kind,
    ...(sessionKind.kind === 'client' && { client: sessionKind.id }),
    ...describeUserAgent(session.userAgent ?? ''),
    ...(address !== undefined && { address }),
    created_millis: createdAt,
    last_used_millis: lastUseOf(deps, session),
    ...(sessionKind.kind !== 'own program' && endsAt !== undefined && { expires_millis: endsAt }),
    is_persistent: isPersistent,
    is_current: id === current,
  };
}

export const mySessionOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/sessions',
    operationId: 'listSessions',
    group,
    summary: 'List sessions',
    description: 'Browsers and apps that are signed in, with the time of their last use.',
    requires: 'self',
    query: Type.Object(listParameters),
    reply: Type.Array(OpenSession),
    replyHeaders: listHeaders,
    responseDescription: 'Sessions of the current user, newest first.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const sessions = await store.tokens.sessions(caller.account, caller.user);
      const open = sessions.filter(isOpen(deps)).map((session) => toWire(deps, session, caller.session));
      return pageOfList(open, query, ({ id }) => id);
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/sessions',
    operationId: 'endOtherSessions',
    group,
    summary: 'End all other sessions',
    description: 'All browsers and apps of the user in this account except that of the request. API keys stay valid.',
    requires: 'self',
    responseDescription: 'Sessions ended; their tokens are revoked.',
    run: async (store, { caller }) => {
      const sessions = await store.tokens.sessions(caller.account, caller.user);
      const others = sessions.filter(({ id }) => id !== caller.session);
      for (const { id } of others) await store.tokens.removeSession(caller.account, id);
      return ok({ reply: undefined, audit: { action: 'session.end_others', after: { sessions: others.length } } });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/sessions/:session_id',
    operationId: 'endSession',
    group,
    summary: 'End a session',
    description: 'The browser or app must sign in again.',
    requires: 'self',
    params: Type.Object({ session_id: Type.String() }),
    responseDescription: 'Session ended; its tokens are revoked.',
    errors: [404],
    run: async (store, { caller, params }) => {
      const sessions = await store.tokens.sessions(caller.account, caller.user);
      const session = sessions.find(({ id }) => id === params.session_id);
      if (!session) return err({ kind: 'not found', what: 'session' });
      await store.tokens.removeSession(caller.account, session.id);
      return ok({ reply: undefined, audit: { action: 'session.end', subject: session.id } });
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/email',
    operationId: 'updateEmail',
    group,
    summary: 'Change the e-mail address',
    description: 'Sessions and API keys stay valid.',
    requires: 'self',
    commitsErrors: true,
    body: EmailUpdate,
    reply: Member,
    responseDescription: 'The member with the new address.',
    errors: [400, 404, 429],
    prepare: async (deps, { caller, body, from }) => {
      const email = parseEmail(body.email);
      if (!email) return err(invalid('email', 'must be an e-mail address'));
      const credentials = { email: caller.email, password: body.current_password, from };
      const tried = await provePassword(deps, credentials, 'current_password');
      return tried.ok ? ok({ ...tried.value, email }) : tried;
    },
    run: async (store, { caller, body }, deps, { refund, user: verified, email }) => {
      const found = await store.users.find(caller.account, caller.user);
      if (!found || found.passwordHash !== verified.passwordHash) return err({ kind: 'not found', what: 'member' });
      await refund(store);
      const proved = await proveFactor(store, deps, found, body.code);
      if (!proved.ok) return proved;
      const user = proved.value;
      const other = await store.users.byEmail(email);
      const isRefused = (other && other.id !== user.id) || (await isReserved(store, deps, email, user.id));
      if (isRefused) return err({ kind: 'conflict', what: 'email' });
      const updated = { ...user, email, emailIsClaimed: true };
      await store.users.update(updated);
      const audit = { action: 'member.email', subject: user.id, before: { email: user.email }, after: { email } };
      return ok({ reply: memberToWire(updated), audit });
    },
  }),
];

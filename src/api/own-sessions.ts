import Type, { type Static } from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import type { TokenFamily } from '../domain/credentials.ts';
import { invalid } from '../domain/problem.ts';
import { err, ok } from '../kit/result.ts';
import { provePassword } from './check-password.ts';
import type { Deps } from './deps.ts';
import { change, type Operation, read } from './operation.ts';
import { goodUntil, keptBy } from './sessions.ts';
import { object } from './wire/named.ts';
import { Email, Member, memberToWire, Password } from './wire/people.ts';
import { OpenSession } from './wire/sessions.ts';

const group = 'Session';
const EmailUpdate = object('EmailUpdate', 'The new address, and the password of whoever changes it.', {
  email: Email,
  current_password: Password,
});

type Kept = TokenFamily & { readonly expiresAt: number | undefined };

/** Of those without a refresh token that anybody has, only those whose access token is still good. */
const isOpen =
  (deps: Deps) =>
  (family: Kept): boolean =>
    keptBy(family.id).kind === 'own program' || Math.min(family.expiresAt ?? 0, goodUntil(deps, family)) > deps.now();

function toWire({ id, createdAt, expiresAt }: Kept, current: string | undefined): Static<typeof OpenSession> {
  const keeper = keptBy(id);
  return {
    id,
    kind: keeper.kind,
    ...(keeper.kind === 'client' && { client: keeper.id }),
    created_millis: createdAt,
    ...(keeper.kind !== 'own program' && expiresAt !== undefined && { expires_millis: expiresAt }),
    is_current: id === current,
  };
}

export const ownSessionOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/sessions',
    operationId: 'listSessions',
    group,
    summary: 'Where one is signed in',
    who: 'self',
    reply: Type.Array(OpenSession),
    replyWords: 'The sign-ins of whoever asks, the latest first.',
    run: async (store, { caller }, deps) => {
      const families = await store.tokens.families(caller.account, caller.user);
      return ok(families.filter(isOpen(deps)).map((family) => toWire(family, caller.session)));
    },
  }),
  change({
    method: 'DELETE',
    path: '/api/v1/sessions/:session_id',
    operationId: 'endSession',
    group,
    summary: 'End a sign-in of one’s own',
    who: 'self',
    params: Type.Object({ session_id: Type.String() }),
    replyWords: 'Its tokens are no more.',
    refusals: [404],
    run: async (store, { caller, params }) => {
      const families = await store.tokens.families(caller.account, caller.user);
      const family = families.find(({ id }) => id === params.session_id);
      if (!family) return err({ kind: 'not found', what: 'session' });
      await store.tokens.removeFamily(caller.account, family.id);
      return ok({ reply: undefined, audit: { action: 'session.end', subject: family.id } });
    },
  }),
  change({
    method: 'PUT',
    path: '/api/v1/email',
    operationId: 'updateEmail',
    group,
    summary: 'Change the e-mail address',
    description: 'By which one signs in from then on. Sign-ins and keys stay.',
    who: 'self',
    body: EmailUpdate,
    reply: Member,
    replyWords: 'The member with the new address.',
    refusals: [400, 404, 429],
    prepare: async (deps, { caller, body, from }) => {
      const email = parseEmail(body.email);
      if (!email) return err(invalid('email', 'must be an e-mail address'));
      const given = { email: caller.email, password: body.current_password, from };
      const tried = await provePassword(deps, given, 'current_password');
      return tried.ok ? ok({ ...tried.value, email }) : tried;
    },
    run: async (store, { caller }, _deps, { takeBack, user: known, email }) => {
      const user = await store.users.find(caller.account, caller.user);
      if (!user || user.passwordHash !== known.passwordHash) return err({ kind: 'not found', what: 'member' });
      await takeBack(store);
      const other = await store.users.byEmail(email);
      if (other && other.id !== user.id) return err({ kind: 'taken', what: 'email' });
      const updated = { ...user, email };
      await store.users.update(updated);
      const audit = { action: 'member.email', subject: user.id, before: { email: user.email }, after: { email } };
      return ok({ reply: memberToWire(updated), audit });
    },
  }),
];

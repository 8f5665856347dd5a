import Type, { type Static } from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import type { TokenFamily } from '../domain/credentials.ts';
import { invalid } from '../domain/domain-error.ts';
import { isIdle } from '../domain/refresh-tokens.ts';
import { err, ok } from '../kit/result.ts';
import { provePassword } from './check-password.ts';
import { proveFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import { change, type Operation, read } from './operation.ts';
import { isReserved } from './operator.ts';
import { goodUntil, keptBy } from './sign-in.ts';
import { object } from './wire/named.ts';
import { Email, Member, memberToWire, Password } from './wire/people.ts';
import { OpenSession } from './wire/sessions.ts';

const group = 'Session';
const EmailUpdate = object(
  'EmailUpdate',
  'The new address, the current password, and a code where a second factor is on.',
  {
    email: Email,
    current_password: Password,
    code: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Of the second factor, or a recovery code; only with a second factor.',
      }),
    ),
  },
);

type Kept = TokenFamily & { readonly expiresAt: number | undefined };

/** Of those without a refresh token that anybody has, only those whose access token is still good. */
const isOpen =
  (deps: Deps) =>
  (family: Kept): boolean =>
    keptBy(family.id).kind === 'own program'
      ? !isIdle(family.lastUsedAt, deps.now())
      : Math.min(family.expiresAt ?? 0, goodUntil(deps, family)) > deps.now();

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
    run: async (store, { caller, body }, deps, { takeBack, user: known, email }) => {
      const found = await store.users.find(caller.account, caller.user);
      if (!found || found.passwordHash !== known.passwordHash) return err({ kind: 'not found', what: 'member' });
      await takeBack(store);
      const proved = await proveFactor(store, deps, found, body.code);
      if (!proved.ok) return proved;
      const user = proved.value;
      const other = await store.users.byEmail(email);
      const isRefused = (other && other.id !== user.id) || (await isReserved(store, deps, email, user.id));
      if (isRefused) return err({ kind: 'taken', what: 'email' });
      const updated = { ...user, email, emailIsClaimed: true };
      await store.users.update(updated);
      const audit = { action: 'member.email', subject: user.id, before: { email: user.email }, after: { email } };
      return ok({ reply: memberToWire(updated), audit });
    },
  }),
];

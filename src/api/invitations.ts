import Type from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { newUser } from '../operations/create-account.ts';
import { hashOf, issue, newId } from '../operations/new-secrets.ts';
import { isReserved } from '../operations/operator.ts';
import { transact } from '../operations/transact.ts';
import type { ApiError } from './errors.ts';
import { joinAccount } from './join-account.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { hashNew } from './new-password.ts';
import { mutation, type Operation, publicRoute, query } from './operation.ts';
import { answerSession } from './session-cookie.ts';
import { openSession, sessionKindFor } from './sign-in.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';
import { object } from './wire/named.ts';
import { Email, Invitation, invitationToWire, NewInvitation, Role, Session } from './wire/people.ts';

const group = 'Members';
const LIFE_MS = 7 * 86_400_000;
const MAX_OPEN = 100;

const InvitationCreate = object('InvitationCreate', 'E-mail address and role of the invited user.', {
  email: Email,
  role: Role,
});
const InvitationAccept = object('InvitationAccept', 'Token of the invitation and password of the new member.', {
  token: Type.String({ maxLength: 200 }),
  password: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'A new password. For an e-mail address that has signed in before: its password.',
  }),
  code: Type.Optional(
    Type.String({ maxLength: 100, description: 'Two-factor code or recovery code of a user who has one.' }),
  ),
});

const wrongToken = err(invalid('token', 'is invalid, used, revoked or expired'));

const withUnauthorized = (operation: Operation): Operation => ({
  ...operation,
  answers: {
    ...operation.answers,
    401: {
      description: 'Wrong password or code of a user who has one, or the code is missing.',
      content: { 'application/json': AccessTokenErrorResponse },
    },
  },
});

export const invitationOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/invitations',
    operationId: 'listInvitations',
    group,
    summary: 'List pending invitations',
    description: 'Invitations that were not accepted and have not expired.',
    requires: 'manager',
    query: Type.Object(listParameters),
    reply: Type.Array(Invitation),
    replyHeaders: listHeaders,
    responseDescription: 'The invitations.',
    errors: [400],
    run: async (store, { caller, query }) =>
      pageOfList((await store.invitations.list(caller.account)).map(invitationToWire), query, ({ id }) => id),
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/invitations',
    operationId: 'createInvitation',
    group,
    summary: 'Create an invitation',
    description: 'No e-mail is sent: share the token yourself. It expires after one week.',
    requires: 'manager',
    body: InvitationCreate,
    reply: NewInvitation,
    responseDescription: 'The invitation and its token.',
    errors: [400],
    run: async (store, { caller, body }, deps) => {
      const email = parseEmail(body.email);
      if (!email) return err(invalid('email', 'must be an e-mail address'));
      if (body.role === 'owner' && caller.role !== 'owner')
        return err({ kind: 'forbidden', why: 'must not be higher than your own role' });
      const open = await store.invitations.list(caller.account);
      if (open.length >= MAX_OPEN)
        return err(invalid('email', `an account can have at most ${MAX_OPEN} pending invitations`, 'limit reached'));
      const members = await store.users.members(caller.account);
      if (members.some((member) => member.email === email)) return err(invalid('email', 'is already a member'));
      const { secret, hash } = issue(deps, 'invitation');
      const now = deps.now();
      const invitation = {
        id: newId(deps),
        account: caller.account,
        email,
        role: body.role,
        hash,
        invitedBy: caller.email,
        createdAt: now,
        expiresAt: now + LIFE_MS,
      };
      const added = await store.invitations.add(invitation);
      if (!added.ok) return added;
      const audit = { action: 'invitation.create', subject: invitation.id, after: { email, role: body.role } };
      return ok({ reply: { ...invitationToWire(invitation), token: secret }, audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/invitations/:invitation_id',
    operationId: 'removeInvitation',
    group,
    summary: 'Revoke an invitation',
    description: 'Its token becomes invalid.',
    requires: 'manager',
    params: Type.Object({ invitation_id: Type.String() }),
    responseDescription: 'Invitation revoked.',
    errors: [404],
    run: async (store, { caller, params: { invitation_id: id } }) => {
      if (!(await store.invitations.remove(caller.account, id))) return err({ kind: 'not found', what: 'invitation' });
      return ok({ reply: undefined, audit: { action: 'invitation.remove', subject: id } });
    },
  }),
  withUnauthorized(
    publicRoute({
      method: 'POST',
      path: '/api/v1/invitations/accept',
      operationId: 'acceptInvitation',
      group,
      summary: 'Accept an invitation',
      description: 'A user of another account becomes a member of this one too, with the same password.',
      body: InvitationAccept,
      reply: Session,
      responseDescription: 'Tokens of the new member.',
      errors: [400, 429],
      run: async (deps, { body, from, userAgent, inCookie }) => {
        const hash = hashOf(deps, body.token);
        // Looked up first, so that an invalid invitation does not cost a password hash.
        const seen = await deps.store.read.invitations.byHash(hash, deps.now());
        if (!seen) return wrongToken;
        if (await deps.store.read.users.byEmail(seen.email))
          return joinAccount(deps, { ...body, hash, from, userAgent, inCookie }, seen.email);
        const passwordHash = await hashNew(deps, { password: body.password, email: seen.email, from });
        if (!passwordHash.ok) return passwordHash;
        return transact(deps.store, async (store): Promise<Result<ReturnType<typeof answerSession>, ApiError>> => {
          const invitation = await store.invitations.byHash(hash, deps.now());
          if (!invitation) return wrongToken;
          const { account, email, role } = invitation;
          const user = newUser(deps, { account, email, role, passwordHash: passwordHash.value, emailIsClaimed: true });
          if (await isReserved(store, deps, email, undefined)) return err({ kind: 'conflict', what: 'email' });
          const added = await store.users.add(user);
          if (!added.ok) return added;
          await store.invitations.remove(account, invitation.id);
          const note = { action: 'member.create', subject: user.id, after: { email, role } };
          await store.audit.add(auditEntry(deps, { account, by: email, from }, note));
          const sessionKind = sessionKindFor(inCookie);
          const tokens = await openSession(store, deps, user, { sessionKind, from, userAgent });
          return ok(answerSession(deps, inCookie, tokens, user));
        });
      },
    }),
  ),
];

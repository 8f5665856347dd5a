import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { checkPassword, noteFailure } from './check-password.ts';
import { checkFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { answerSession, type CookieKind } from './session-cookie.ts';
import { openSession, type SessionOrigin, sessionKindFor } from './sign-in.ts';

type Given = SessionOrigin & {
  /** Hash of the token of the invitation. */
  readonly hash: string;
  readonly password: string;
  readonly code?: string | undefined;
  readonly inCookie: CookieKind | undefined;
};

type Joined = Result<ReturnType<typeof answerSession>, ApiError>;

const wrongSignIn: Joined = err({ kind: 'unauthorized', why: 'wrong sign-in' });

/** A user of another account accepts an invitation, with password and second factor. */
export async function joinAccount(deps: Deps, request: Given, email: string): Promise<Joined> {
  const { hash, password, code, from, userAgent, inCookie } = request;
  const tried = await checkPassword(deps, { email, password, from });
  if (!tried.ok) return tried;
  const { user: verified, refund } = tried.value;
  const joined = await deps.store.inTransaction(async (store): Promise<Joined> => {
    const user = await store.users.find(verified.account, verified.id);
    if (!user || user.passwordHash !== verified.passwordHash) return wrongSignIn;
    const factor = await checkFactor(store, deps, user, code);
    if (factor.kind === 'wrong') return wrongSignIn;
    await refund(store);
    if (factor.kind === 'missing') return err({ kind: 'unauthorized', why: '2fa required' });
    if (factor.kind === 'slow down') return err(factor);
    await store.users.update(factor.user);
    const now = deps.now();
    const invitation = await store.invitations.byHash(hash, now);
    if (!invitation) return err(invalid('token', 'is invalid, used, revoked or expired'));
    const { account, role, id } = invitation;
    if (await store.users.find(account, user.id))
      return err(invalid('token', 'You are already a member of the account'));
    await store.users.join({ account, id: user.id, role, createdAt: now });
    await store.invitations.remove(account, id);
    const note = { action: 'member.create', subject: user.id, after: { email: user.email, role } };
    await store.audit.add(auditEntry(deps, { account, by: user.email, from }, note));
    const member = { ...user, account, role, createdAt: now };
    const tokens = await openSession(store, deps, member, { sessionKind: sessionKindFor(inCookie), from, userAgent });
    return ok(answerSession(deps, inCookie, tokens, member));
  });
  if (joined === wrongSignIn) await noteFailure(deps, verified, from);
  return joined;
}

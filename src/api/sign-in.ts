import type { User } from '../domain/account.ts';
import {
  ACCESS_TOKEN_SECONDS,
  PAGE_SESSION_PREFIX,
  PAGE_SESSION_SECONDS,
  PERSISTENT_SESSION_PREFIX,
  PERSISTENT_SESSION_SECONDS,
  type SessionLimits,
} from '../domain/credentials.ts';
import { invalid } from '../domain/domain-error.ts';
import type { Transaction } from '../domain/repositories.ts';
import { DAY_MS } from '../kit/durations.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { issue, newId } from '../operations/new-secrets.ts';
import { checkPassword, noteFailure } from './check-password.ts';
import { checkFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

export const ACCESS_SECONDS = ACCESS_TOKEN_SECONDS;

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly sessionKind: SessionKind;
};

/** Lifetime of access tokens of third-party apps. */
export const CLIENT_SECONDS = 3600;
const CLIENT = 'client ';

/** Kind of client that gets the tokens: an app of the user, a page of the web interface, or a third-party app. */
export type SessionKind =
  | { readonly kind: 'own program' }
  /** Persistent sessions have no idle timeout in minutes, because the user chose to stay signed in. */
  | { readonly kind: 'page'; readonly isPersistent: boolean }
  | { readonly kind: 'client'; readonly id: string };

function secondsOf(sessionKind: SessionKind): number {
  if (sessionKind.kind === 'client') return CLIENT_SECONDS;
  if (sessionKind.kind === 'own program') return ACCESS_SECONDS;
  return sessionKind.isPersistent ? PERSISTENT_SESSION_SECONDS : PAGE_SESSION_SECONDS;
}

export const sessionKindFor = (inCookie: string | undefined, isPersistent = false): SessionKind =>
  inCookie ? { kind: 'page', isPersistent } : { kind: 'own program' };

function sessionIdFor(sessionKind: SessionKind, id: string): string {
  if (sessionKind.kind === 'client') return `${CLIENT}${sessionKind.id} ${id}`;
  if (sessionKind.kind === 'own program') return id;
  return (sessionKind.isPersistent ? PERSISTENT_SESSION_PREFIX : PAGE_SESSION_PREFIX) + id;
}

/** The kind is encoded in the session id. */
export function sessionKindOf(session: string): SessionKind {
  if (session.startsWith(CLIENT)) return { kind: 'client', id: session.slice(CLIENT.length, session.lastIndexOf(' ')) };
  const isPersistent = session.startsWith(PERSISTENT_SESSION_PREFIX);
  return sessionKindFor(isPersistent || session.startsWith(PAGE_SESSION_PREFIX) ? 'page' : undefined, isPersistent);
}

export function isPersistentSession(session: string | undefined): boolean {
  const sessionKind = session === undefined ? undefined : sessionKindOf(session);
  return sessionKind?.kind === 'page' && sessionKind.isPersistent;
}

/** Whether the user has signed in. Sessions of third-party apps have the permissions of an API key. */
export const isOwnSession = (session: string): boolean => sessionKindOf(session).kind !== 'client';

type Used = { readonly id: string; readonly lastUsedAt: number };

/** Time of the last use, even if it is not stored yet. */
export const lastUseOf = ({ store }: Pick<Deps, 'store'>, { id, lastUsedAt }: Used): number =>
  Math.max(lastUsedAt, store.sessionLastUsed(id) ?? 0);

/** Expiry of an unused session. Only page sessions have an idle timeout. */
export function goodUntil(deps: Pick<Deps, 'store'> & SessionLimits, used: Used): number {
  const sessionKind = sessionKindOf(used.id);
  if (sessionKind.kind !== 'page') return Infinity;
  if (sessionKind.isPersistent) return lastUseOf(deps, used) + deps.sessionKeepDays * DAY_MS;
  return deps.sessionIdleMinutes === 0 ? Infinity : lastUseOf(deps, used) + deps.sessionIdleMinutes * 60_000;
}

/** Properties of the sign-in request by which the user recognises the session. */
export type SessionOrigin = { readonly from: string; readonly userAgent: string | undefined };
type NewSession = SessionOrigin & {
  readonly sessionKind: SessionKind;
  /** The refresh token rotates with every use. */
  readonly rotates?: boolean | undefined;
};

/** Opens a session: a refresh token and the first access token. */
export async function openSession(
  store: Transaction,
  deps: Deps,
  { account, id: user }: Pick<User, 'account' | 'id'>,
  { sessionKind, rotates = false, from, userAgent }: NewSession,
): Promise<Tokens> {
  const now = deps.now();
  const expiresInSeconds = secondsOf(sessionKind);
  const refresh = issue(deps, 'refresh token');
  const session = sessionIdFor(sessionKind, newId(deps));
  await store.tokens.addSession({
    id: session,
    account,
    user,
    refreshHash: refresh.hash,
    createdAt: now,
    lastUsedAt: now,
    rotates,
    userAgent,
    address: from,
  });
  const accessToken = await addAccess(store, deps, { session, account, user }, expiresInSeconds);
  return { accessToken, refreshToken: refresh.secret, expiresInSeconds, sessionKind };
}

type SessionRef = { readonly session: string; readonly account: User['account']; readonly user: User['id'] };

export async function addAccess(
  store: Transaction,
  deps: Deps,
  of: SessionRef,
  expiresInSeconds = ACCESS_SECONDS,
): Promise<string> {
  const { secret, hash } = issue(deps, 'access token');
  const now = deps.now();
  await store.tokens.addAccess({ ...of, hash, expiresAt: now + expiresInSeconds * 1000 }, now);
  return secret;
}

export type SignIn = NewSession & {
  readonly email: string;
  readonly password: string;
  /** Two-factor code or recovery code. */
  readonly code: string | undefined;
  /** The account to sign in to. Default: the first one that is not suspended. */
  readonly account?: string | undefined;
};

/** Checks the password and, if enabled, the second factor. */
export async function signIn(
  deps: Deps,
  request: SignIn,
): Promise<Result<{ readonly tokens: Tokens; readonly user: User }, ApiError>> {
  const tried = await checkPassword(deps, request);
  if (!tried.ok) return tried;
  const { user: verified, refund, newerHash } = tried.value;
  const signedIn = await deps.store.inTransaction(async (store) => {
    const user = await store.users.find(verified.account, verified.id);
    const members = await activeMembersOf(store, verified.id);
    // The user was deleted or suspended, or the password was changed since it was checked.
    if (!user || members.length === 0 || user.passwordHash !== verified.passwordHash) return wrongSignIn;
    const factor = await checkFactor(store, deps, user, request.code);
    if (factor.kind === 'missing' || factor.kind === 'slow down') {
      await refund(store);
      return err(factor.kind === 'missing' ? ({ kind: 'unauthorized', why: '2fa required' } as const) : factor);
    }
    if (factor.kind === 'wrong') return wrongSignIn;
    await refund(store);
    await store.users.update({ ...factor.user, passwordHash: newerHash ?? user.passwordHash });
    const member =
      request.account === undefined ? members[0] : members.find(({ account }) => account === request.account);
    if (!member) return err(invalid('account_id', 'is not an account of this user'));
    await store.audit.add(
      auditEntry(deps, { account: member.account, by: user.email, from: request.from }, { action: 'session.create' }),
    );
    return ok({ tokens: await openSession(store, deps, member, request), user: member });
  });
  if (signedIn === wrongSignIn) await noteFailure(deps, verified, request.from);
  if (signedIn.ok) deps.passwords.noteSignedIn(request.from);
  return signedIn;
}

/** The user as a member of each account that is not suspended. */
export async function activeMembersOf(store: Transaction, id: User['id']): Promise<readonly User[]> {
  const members: User[] = [];
  for (const account of await store.users.accounts(id)) {
    const [found, member] = [await store.accounts.find(account), await store.users.find(account, id)];
    if (member && found?.isSuspended === false) members.push(member);
  }
  return members;
}

export const wrongSignIn = err({ kind: 'unauthorized', why: 'wrong sign-in' } as const);

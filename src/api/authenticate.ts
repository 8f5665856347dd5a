import { mayManageMembers, mayWrite, type Role } from '../domain/account.ts';
import { parseAuthorization } from '../domain/authorization.ts';
import type { SessionLimits } from '../domain/credentials.ts';
import type { AccountId, KeyId, UserId } from '../domain/ids.ts';
import type { Bearer } from '../domain/repositories.ts';
import { secretKind } from '../domain/secret-text.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Deps } from './deps.ts';
import type { ApiError, Unauthorized } from './errors.ts';
import { goodUntil, isOwnSession, sessionKindOf } from './sign-in.ts';

/** The authenticated caller. The account is that of the credentials, or another one of the user (`inAccount`). */
export type Caller = {
  readonly account: AccountId;
  readonly user: UserId;
  readonly email: string;
  readonly role: Role;
  /** Name in the audit log. */
  readonly by: string;
  /** Session of the token; undefined for API keys and third-party apps. */
  readonly session: string | undefined;
  /** The credential: an API key, or an access token of a session. */
  readonly with:
    | { readonly key: KeyId }
    | {
        readonly expiresAt: number;
        readonly session: string;
        /** The account of the session, which differs from that of the request if the request chooses another one. */
        readonly account: AccountId;
        /** Whether the user has signed in; false for third-party apps. */
        readonly isOwn: boolean;
      };
};

type Needs = Pick<Deps, 'store' | 'now' | 'sha256' | keyof SessionLimits>;

/** Requires exactly one Authorization header. */
export async function authenticate(deps: Needs, headers: readonly string[]): Promise<Result<Caller, ApiError>> {
  if (headers.length === 0) return unauthorized('no credentials');
  const authorization = headers.length === 1 ? parseAuthorization(headers[0]) : undefined;
  if (!authorization) return unauthorized('wrong credentials');
  // Generated clients send API keys alone or as a bearer token; access tokens need `Bearer`.
  const isToken = authorization.scheme === 'Bearer' && secretKind(authorization.secret) === 'access token';
  const found = isToken ? await byToken(deps, authorization.secret) : await byKey(deps, authorization.secret);
  if (!found) return unauthorized('wrong credentials');
  recordUse(deps, found);
  return ok(found);
}

/** Records the time of last use of the key or session. */
export function recordUse({ store, now }: Pick<Needs, 'store' | 'now'>, { with: credential }: Caller): void {
  if ('key' in credential) store.keyUsed(credential.key, now());
  else if (sessionKindOf(credential.session).kind === 'page') store.sessionUsed(credential.session, now());
}

async function byKey(deps: Needs, secret: string): Promise<Caller | undefined> {
  if (secretKind(secret) !== 'api key') return undefined;
  const bearer = await deps.store.read.keys.byHash(hashOf(deps, secret));
  if (!bearer || bearer.isSuspended) return undefined;
  return callerOf(bearer, `key ${bearer.keyName}`, undefined, { key: bearer.key });
}

async function byToken(deps: Needs, secret: string): Promise<Caller | undefined> {
  const now = deps.now();
  const bearer = await deps.store.read.tokens.accessByHash(hashOf(deps, secret), now);
  if (!bearer || bearer.isSuspended) return undefined;
  const { session: id, lastUsedAt } = bearer;
  if (goodUntil(deps, { id, lastUsedAt }) <= now) return undefined;
  const expiresAt = Math.min(bearer.expiresAt, goodUntil(deps, { id, lastUsedAt: now }));
  const isOwn = isOwnSession(id);
  const credential = { expiresAt, session: id, account: bearer.account, isOwn };
  return callerOf(bearer, bearer.email, isOwn ? id : undefined, credential);
}

const callerOf = (
  { account, user, email, role }: Bearer,
  by: string,
  session: string | undefined,
  credential: Caller['with'],
): Caller => ({ account, user, email, role, by, session, with: credential });

/**
 * The caller in the account of the header `X-Account-Id`. Such a request cannot manage access, which requires a session of the account.
 */
export async function inAccount(
  { store: { read } }: Pick<Deps, 'store'>,
  caller: Caller,
  wanted: string | undefined,
): Promise<Result<Caller, ApiError>> {
  if (wanted === undefined || wanted === caller.account) return ok(caller);
  const mayChoose = 'session' in caller.with && caller.with.isOwn;
  const account = mayChoose ? await read.accounts.find(wanted as AccountId) : undefined;
  const member = account && (await read.users.find(account.id, caller.user));
  if (!member || account.isSuspended)
    return err({ kind: 'forbidden', why: 'The credentials are not valid for the account of X-Account-Id' });
  return ok({ ...caller, account: account.id, role: member.role, session: undefined });
}

const unauthorized = (why: Unauthorized): Result<never, ApiError> => err({ kind: 'unauthorized', why });

/** Access required by an operation. */
export type RequiredAccess = keyof typeof allowed;

const allowed = {
  reader: () => true,
  writer: ({ role }: Caller) => mayWrite(role),
  // A leaked key must not be able to create keys or invite members.
  self: ({ session }: Caller) => session !== undefined,
  manager: ({ session, role }: Caller) => session !== undefined && mayManageMembers(role),
} as const satisfies Record<string, (caller: Caller) => boolean>;

export function forbiddenReason(caller: Caller, requires: RequiredAccess): ApiError | undefined {
  if (allowed[requires](caller)) return undefined;
  const isKey = requires !== 'writer' && caller.session === undefined;
  return {
    kind: 'forbidden',
    why: isKey
      ? 'This requires a signed-in user: API keys and tokens of third-party apps are not accepted'
      : 'Your role does not allow this',
  };
}

import type { UserSession } from '../domain/credentials.ts';
import { isIdle, replacedTokenUse } from '../domain/refresh-tokens.ts';
import type { SessionBearer, Transaction } from '../domain/repositories.ts';
import { makeSecret, secretKind } from '../domain/secret-text.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { hashOf, newId } from '../operations/new-secrets.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { ACCESS_SECONDS, addAccess } from './sign-in.ts';
import type { AccessTokenResponse } from './wire/token.ts';

type Given = {
  readonly secret: string;
  readonly from: string;
  /** The client requests rotation from now on. */
  readonly rotates: boolean;
};
type Answer = Result<AccessTokenResponse, ApiError>;

const wrongToken: Result<never, ApiError> = err({ kind: 'unauthorized', why: 'wrong refresh token' });

/** A new access token and the same refresh token, or its replacement for clients that opted in to rotation. */
export async function byRefreshToken(deps: Deps, request: Given): Promise<Answer> {
  if (secretKind(request.secret) !== 'refresh token') return wrongToken;
  return deps.store.inTransaction(async (store) => {
    const bearer = await store.tokens.sessionByRefreshHash(hashOf(deps, request.secret));
    if (!bearer) return replaced(store, deps, request);
    if (!isGood(deps, bearer)) return wrongToken;
    const { session } = bearer;
    if (!session.rotates && !request.rotates) return answer(store, deps, session, request.secret);
    const next = await rotate(store, deps, session, request.secret);
    return next === undefined ? replaced(store, deps, request) : answer(store, deps, session, next);
  });
}

const isGood = ({ now }: Deps, { isSuspended, session }: SessionBearer): boolean =>
  !isSuspended && !isIdle(session.lastUsedAt, now());

async function rotate(
  store: Transaction,
  deps: Deps,
  session: UserSession,
  secret: string,
): Promise<string | undefined> {
  const seed = newId(deps);
  const next = nextToken(deps, secret, seed);
  const token = { hash: hashOf(deps, secret), nextHash: hashOf(deps, next), seed, replacedAt: deps.now() };
  return (await store.tokens.rotate(session.account, session.id, token)) ? next : undefined;
}

/** Derived from the old token, so that a repeated request gets the same new token although only its hash is stored. */
const nextToken = (deps: Deps, secret: string, seed: string): string =>
  makeSecret('refresh token', deps.sha256(`${seed} ${secret}`));

/** For a replaced token, a repeated request gets the same response; any other use ends the session. */
async function replaced(store: Transaction, deps: Deps, { secret, from }: Given): Promise<Answer> {
  const bearer = await store.tokens.sessionByReplacedHash(hashOf(deps, secret));
  if (!bearer || !isGood(deps, bearer)) return wrongToken;
  const { session, replaced: token } = bearer;
  const isNextUnused = session.refreshHash === token.nextHash;
  if (replacedTokenUse({ replacedAt: token.replacedAt, isNextUnused }, deps.now()) === 'repeat')
    return answer(store, deps, session, nextToken(deps, secret, token.seed));
  await store.tokens.removeSession(session.account, session.id);
  const author = { account: session.account, by: bearer.email, from };
  await store.audit.add(auditEntry(deps, author, { action: 'session.reused', subject: session.id }));
  return wrongToken;
}

async function answer(store: Transaction, deps: Deps, session: UserSession, refresh_token: string): Promise<Answer> {
  const { id, account, user } = session;
  const access_token = await addAccess(store, deps, { session: id, account, user });
  return ok({ access_token, expires_in: ACCESS_SECONDS, refresh_token, token_type: 'bearer' });
}

import { isIdle, replacedTokenUse } from '../domain/refresh-tokens.ts';
import { makeSecret, secretKind } from '../domain/secret-text.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import { hashOf, newId } from './new-secrets.ts';
import { ACCESS_SECONDS, addAccess } from './sign-in.ts';
import type { Bearer, Reading, Writing } from './store-deps.ts';
import type { AccessTokenResponse } from './wire/token.ts';
import { auditEntry } from './write.ts';

type Given = {
  readonly secret: string;
  readonly from: string;
  /** The client asks for rotation from now on. */
  readonly rotates: boolean;
};
type Answer = Result<AccessTokenResponse, Refusal>;
type Family = NonNullable<Awaited<ReturnType<Reading['tokens']['familyByRefreshHash']>>>['family'];

const wrongToken: Result<never, Refusal> = err({ kind: 'unauthorized', why: 'wrong refresh token' });

/** Another access token, and the same refresh token as published, or its replacement for clients that opted in. */
export async function byRefreshToken(deps: Deps, given: Given): Promise<Answer> {
  if (secretKind(given.secret) !== 'refresh token') return wrongToken;
  return deps.store.inTransaction(async (store) => {
    const bearer = await store.tokens.familyByRefreshHash(hashOf(deps, given.secret));
    if (!bearer) return replaced(store, deps, given);
    if (!isGood(deps, bearer)) return wrongToken;
    const { family } = bearer;
    if (!family.rotates && !given.rotates) return answer(store, deps, family, given.secret);
    const next = await rotate(store, deps, family, given.secret);
    return next === undefined ? replaced(store, deps, given) : answer(store, deps, family, next);
  });
}

const isGood = ({ now }: Deps, { isSuspended, family }: Bearer & { readonly family: Family }): boolean =>
  !isSuspended && !isIdle(family.lastUsedAt, now());

async function rotate(store: Writing, deps: Deps, family: Family, secret: string): Promise<string | undefined> {
  const seed = newId(deps);
  const next = nextToken(deps, secret, seed);
  const token = { hash: hashOf(deps, secret), nextHash: hashOf(deps, next), seed, replacedAt: deps.now() };
  return (await store.tokens.rotate(family.account, family.id, token)) ? next : undefined;
}

/** Derived, so that a repeated request gets the same token although only its hash is stored. */
const nextToken = (deps: Deps, secret: string, seed: string): string =>
  makeSecret('refresh token', deps.sha256(`${seed} ${secret}`));

/** A token that was replaced: the same answer again for a repeated request, otherwise the end of the sign-in. */
async function replaced(store: Writing, deps: Deps, { secret, from }: Given): Promise<Answer> {
  const bearer = await store.tokens.familyByReplacedHash(hashOf(deps, secret));
  if (!bearer || !isGood(deps, bearer)) return wrongToken;
  const { family, replaced: token } = bearer;
  const isNextUnused = family.refreshHash === token.nextHash;
  if (replacedTokenUse({ replacedAt: token.replacedAt, isNextUnused }, deps.now()) === 'repeat')
    return answer(store, deps, family, nextToken(deps, secret, token.seed));
  await store.tokens.removeFamily(family.account, family.id);
  const author = { account: family.account, by: bearer.email, from };
  await store.audit.add(auditEntry(deps, author, { action: 'session.reused', subject: family.id }));
  return wrongToken;
}

async function answer(store: Writing, deps: Deps, family: Family, refresh_token: string): Promise<Answer> {
  const { id, account, user } = family;
  const access_token = await addAccess(store, deps, { family: id, account, user });
  return ok({ access_token, expires_in: ACCESS_SECONDS, refresh_token, token_type: 'bearer' });
}

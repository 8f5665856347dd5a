import type { User } from '../domain/account.ts';
import { ACCESS_TOKEN_SECONDS, PAGE_FAMILY, PAGE_SECONDS } from '../domain/credentials.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { checkPassword, noteFailure } from './check-password.ts';
import { checkFactor } from './check-second-factor.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import { issue, newId } from './new-secrets.ts';
import type { Writing } from './store-deps.ts';
import { auditEntry } from './write.ts';

export const ACCESS_SECONDS = ACCESS_TOKEN_SECONDS;

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
};

/** Of access tokens that programs of others get. */
export const CLIENT_SECONDS = 3600;
const CLIENT = 'client ';

/** Who keeps the tokens: a person's own program, our page in their browser, or somebody else's program in their name. */
export type Keeper =
  | { readonly kind: 'own program' }
  | { readonly kind: 'page' }
  | { readonly kind: 'client'; readonly id: string };

const secondsOf = { 'own program': ACCESS_SECONDS, page: PAGE_SECONDS, client: CLIENT_SECONDS } as const;

export const keeperOf = (inCookie: boolean): Keeper => ({ kind: inCookie ? 'page' : 'own program' });

const familyOf = (keeper: Keeper, id: string): string =>
  keeper.kind === 'client' ? `${CLIENT}${keeper.id} ${id}` : keeper.kind === 'page' ? PAGE_FAMILY + id : id;

/** Whose tokens a family is: its id tells. */
export function keptBy(family: string): Keeper {
  if (family.startsWith(CLIENT)) return { kind: 'client', id: family.slice(CLIENT.length, family.lastIndexOf(' ')) };
  return { kind: family.startsWith(PAGE_FAMILY) ? 'page' : 'own program' };
}

/** Whether a person has signed in by it, and not let a program in: such a one gets no further than a key does. */
export const isOwnSession = (family: string): boolean => keptBy(family).kind !== 'client';

type Used = { readonly id: string; readonly lastUsedAt: number };

/** Until when a sign-in is good if nobody uses it. Only pages are left alone: programs wait for whatever they wait for. */
export function goodUntil(
  { store, sessionIdleMinutes }: Pick<Deps, 'store' | 'sessionIdleMinutes'>,
  { id, lastUsedAt }: Used,
): number {
  if (sessionIdleMinutes === 0 || keptBy(id).kind !== 'page') return Infinity;
  return Math.max(lastUsedAt, store.sessionLastUsed(id) ?? 0) + sessionIdleMinutes * 60_000;
}

/** A new sign-in of a person, or of a client in their name: a refresh token, and the first access token. */
export async function openSession(
  store: Writing,
  deps: Deps,
  { account, id: user }: Pick<User, 'account' | 'id'>,
  keeper: Keeper,
  rotates = false,
): Promise<Tokens> {
  const now = deps.now();
  const expiresInSeconds = secondsOf[keeper.kind];
  const refresh = issue(deps, 'refresh token');
  const family = familyOf(keeper, newId(deps));
  await store.tokens.addFamily({
    id: family,
    account,
    user,
    refreshHash: refresh.hash,
    createdAt: now,
    lastUsedAt: now,
    rotates,
  });
  const accessToken = await addAccess(store, deps, { family, account, user }, expiresInSeconds);
  return { accessToken, refreshToken: refresh.secret, expiresInSeconds };
}

type Family = { readonly family: string; readonly account: User['account']; readonly user: User['id'] };

export async function addAccess(
  store: Writing,
  deps: Deps,
  of: Family,
  expiresInSeconds = ACCESS_SECONDS,
): Promise<string> {
  const { secret, hash } = issue(deps, 'access token');
  const now = deps.now();
  await store.tokens.addAccess({ ...of, hash, expiresAt: now + expiresInSeconds * 1000 }, now);
  return secret;
}

export type SignIn = {
  readonly email: string;
  readonly password: string;
  /** Of the second factor, or a recovery code. */
  readonly code: string | undefined;
  readonly from: string;
  readonly keeper: Keeper;
  /** The client replaces its refresh token with every use. */
  readonly rotates?: boolean;
};

/** By password, and by the second factor where there is one. */
export async function signIn(
  deps: Deps,
  given: SignIn,
): Promise<Result<{ readonly tokens: Tokens; readonly user: User }, Refusal>> {
  const tried = await checkPassword(deps, given);
  if (!tried.ok) return tried;
  const { user: known, takeBack, newerHash } = tried.value;
  const signedIn = await deps.store.inTransaction(async (store) => {
    const account = await store.accounts.find(known.account);
    const user = await store.users.find(known.account, known.id);
    // Gone, suspended or with another password since: the password that was checked is no more.
    if (!user || !account || account.isSuspended || user.passwordHash !== known.passwordHash) return wrongSignIn;
    const factor = await checkFactor(store, deps, user, given.code);
    if (factor.kind === 'missing' || factor.kind === 'slow down') {
      // The password was right.
      await takeBack(store);
      return err(factor.kind === 'missing' ? ({ kind: 'unauthorized', why: '2fa required' } as const) : factor);
    }
    if (factor.kind === 'wrong') return wrongSignIn;
    await takeBack(store);
    await store.users.update({ ...factor.user, passwordHash: newerHash ?? user.passwordHash });
    await store.audit.add(
      auditEntry(deps, { account: user.account, by: user.email, from: given.from }, { action: 'session.create' }),
    );
    return ok({ tokens: await openSession(store, deps, user, given.keeper, given.rotates), user });
  });
  if (signedIn === wrongSignIn) await noteFailure(deps, known, given.from);
  if (signedIn.ok) deps.passwords.noteSignedIn(given.from);
  return signedIn;
}

const wrongSignIn = err({ kind: 'unauthorized', why: 'wrong sign-in' } as const);

import Type from 'typebox';
import { toBase64Url } from '../domain/base-encoding.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { Transaction } from '../domain/repositories.ts';
import { secretKind } from '../domain/secret-text.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { type Authorized, CODE_TOKEN } from './authorizations.ts';
import type { Deps } from './deps.ts';
import type { ApiError, Unauthorized } from './errors.ts';
import { TOKEN_PATH } from './handle.ts';
import { type Operation, publicRoute } from './operation.ts';
import { byRefreshToken } from './refresh-tokens.ts';
import { openSession, type SessionOrigin, signIn } from './sign-in.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';
import { AccessTokenCredentials, AccessTokenResponse, RevokeTokenForm } from './wire/token.ts';

const group = 'Authentication';
const FORM_OR_JSON = ['application/x-www-form-urlencoded', 'application/json'];

type Given = AccessTokenCredentials & SessionOrigin;
type Grant = (deps: Deps, request: Given) => Promise<Result<AccessTokenResponse, ApiError>>;

const grants: Readonly<Record<string, Grant>> = {
  password: byPassword,
  refresh_token: byRefresh,
  authorization_code: byCode,
};

/** Derived from the other fields if it is absent, because many clients omit `grant_type`. */
const grantOf = ({ grant_type, refresh_token, code }: AccessTokenCredentials): string =>
  grant_type || (refresh_token ? 'refresh_token' : code ? 'authorization_code' : 'password');

async function byPassword(deps: Deps, request: Given): Promise<Result<AccessTokenResponse, ApiError>> {
  const { username, password, mfa_token: code, from, userAgent } = request;
  if (!username || !password) return err(missing({ username, password }));
  const rotates = request.rotate_refresh_token === 'true';
  const sessionKind = { kind: 'own program' } as const;
  const account = request.account_id || undefined;
  const signedIn = await signIn(deps, {
    email: username,
    password,
    code,
    from,
    userAgent,
    sessionKind,
    account,
    rotates,
  });
  if (!signedIn.ok) return signedIn;
  const { accessToken, refreshToken, expiresInSeconds } = signedIn.value.tokens;
  return ok({
    access_token: accessToken,
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    token_type: 'bearer',
  });
}

async function byRefresh(deps: Deps, request: Given): Promise<Result<AccessTokenResponse, ApiError>> {
  const { refresh_token: secret, from } = request;
  if (!secret) return err(missing({ refresh_token: secret }));
  return byRefreshToken(deps, { secret, from, rotates: request.rotate_refresh_token === 'true' });
}

async function byCode(deps: Deps, request: Given): Promise<Result<AccessTokenResponse, ApiError>> {
  const { code, client_id, redirect_uri, code_verifier, from, userAgent } = request;
  if (!code || !client_id || !redirect_uri || !code_verifier)
    return err(missing({ code, client_id, redirect_uri, code_verifier }));
  return deps.store.inTransaction(async (store) => {
    const hash = hashOf(deps, code);
    const oneTimeToken = await store.oneTimeTokens.take(CODE_TOKEN, hash, deps.now());
    if (!oneTimeToken) await endSessionOfCode(store, deps, { hash, from });
    const authorized = oneTimeToken?.content as Authorized | undefined;
    const isRight =
      authorized !== undefined &&
      authorized.client === client_id &&
      authorized.redirectUri === redirect_uri &&
      /^[\w.~-]{43,128}$/.test(code_verifier) &&
      toBase64Url(deps.sha256(code_verifier)) === authorized.challenge;
    if (!isRight) return unauthorized('wrong code');
    const account = await store.accounts.find(authorized.account);
    const user = await store.users.find(authorized.account, authorized.user);
    if (!account || account.isSuspended || !user) return unauthorized('wrong code');
    const sessionKind = { kind: 'client', id: client_id } as const;
    const { accessToken, expiresInSeconds } = await openSession(store, deps, user, { sessionKind, from, userAgent });
    const used: UsedCode = { accessHash: hashOf(deps, accessToken) };
    const expiresAt = deps.now() + expiresInSeconds * 1000;
    await store.oneTimeTokens.put({ kind: USED_CODE_TOKEN, hash, content: used, expiresAt });
    const author = { account: user.account, by: user.email, from };
    await store.audit.add(auditEntry(deps, author, { action: 'session.create', after: { client: client_id } }));
    return ok({ access_token: accessToken, expires_in: expiresInSeconds, token_type: 'bearer' });
  });
}

const USED_CODE_TOKEN = 'used authorization code';
type UsedCode = { readonly accessHash: string };

/** A second use means that the code was intercepted, so the token of its first use is revoked, too (RFC 6749 section 4.1.2). */
async function endSessionOfCode(
  store: Transaction,
  deps: Deps,
  { hash, from }: { readonly hash: string; readonly from: string },
): Promise<void> {
  const used = await store.oneTimeTokens.take(USED_CODE_TOKEN, hash, deps.now());
  if (!used) return;
  const bearer = await store.tokens.accessByHash((used.content as UsedCode).accessHash, deps.now());
  if (!bearer) return;
  await store.tokens.removeSession(bearer.account, bearer.session);
  const author = { account: bearer.account, by: bearer.email, from };
  await store.audit.add(auditEntry(deps, author, { action: 'session.reused', subject: bearer.session }));
}

const unauthorized = (why: Unauthorized): Result<never, ApiError> => err({ kind: 'unauthorized', why });

const missing = (members: Readonly<Record<string, string | undefined>>): DomainError => ({
  kind: 'invalid',
  errors: Object.entries(members)
    .filter(([, value]) => !value)
    .map(([field]) => ({ field, kind: 'required', message: 'Field is required' })),
});

/** The response does not reveal whether the token existed. */
async function revoke(deps: Deps, secret: string, from: string): Promise<void> {
  if (secretKind(secret) !== 'refresh token') return;
  await deps.store.inTransaction(async (store) => {
    const bearer = await store.tokens.sessionByRefreshHash(hashOf(deps, secret));
    if (!bearer) return;
    await store.tokens.removeSession(bearer.account, bearer.session.id);
    const author = { account: bearer.account, by: bearer.email, from };
    await store.audit.add(auditEntry(deps, author, { action: 'session.end' }));
  });
}

const accessToken = publicRoute({
  method: 'POST',
  path: TOKEN_PATH,
  operationId: 'accessToken',
  group,
  summary: 'Get an access token',
  description: 'Accepts a password, a refresh token or an authorization code.',
  body: AccessTokenCredentials,
  bodyTypes: FORM_OR_JSON,
  reply: AccessTokenResponse,
  responseDescription:
    'Access token and refresh token. For a refresh token: a new access token and the same refresh token, or its replacement if it rotates.',
  errors: [400, 429],
  run: async (deps, { body, from, userAgent }) => {
    const grant = grants[grantOf(body)];
    const errors = [
      { field: 'grant_type', kind: 'wrong value', message: `must be one of ${Object.keys(grants).join(', ')}` },
    ] as const;
    return grant ? grant(deps, { ...body, from, userAgent }) : err({ kind: 'invalid', errors });
  },
});

export const tokenOperations: readonly Operation[] = [
  {
    ...accessToken,
    answers: {
      ...accessToken.answers,
      401: {
        description: 'Wrong password, code or token, or the two-factor code is missing.',
        content: { 'application/json': AccessTokenErrorResponse },
      },
    },
  },
  publicRoute({
    method: 'POST',
    path: '/oapi/v1/revoke_token',
    operationId: 'revokeToken',
    group,
    summary: 'Revoke a refresh token and its access tokens',
    description: 'The token is a query parameter, or `refresh_token` or `token` of a form.',
    query: Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 4096 })) }),
    body: RevokeTokenForm,
    bodyTypes: FORM_OR_JSON,
    bodyIsOptional: true,
    responseDescription: 'Token revoked (also returned if it did not exist).',
    errors: [400],
    run: async (deps, { query, body, from }) => {
      const secret = query.refresh_token ?? body.refresh_token ?? body.token;
      if (!secret) return err(missing({ refresh_token: secret }));
      return ok((await revoke(deps, secret, from)) as undefined);
    },
  }),
];

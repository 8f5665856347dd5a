import Type, { type Static } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { issue } from '../operations/new-secrets.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { mutation, type Operation, publicRoute } from './operation.ts';
import { CLIENT_SECONDS, openSession, type SessionOrigin } from './sign-in.ts';
import { object } from './wire/named.ts';

export const CODE_TOKEN = 'authorization code';
const CODE_MS = 60_000;

/** The content of an authorization code until it is redeemed. */
export type Authorized = {
  readonly account: AccountId;
  readonly user: UserId;
  readonly client: string;
  readonly redirectUri: string;
  readonly challenge: string;
};

const text = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }));

const members = {
  client_id: Type.String({ maxLength: 255, description: 'Client id registered by the operator.' }),
  redirect_uri: Type.String({ maxLength: 2048, description: 'A redirect URI registered for the client.' }),
  response_type: Type.String({ description: '`code`, or `token` for legacy clients.' }),
  state: text('Returned unchanged in the redirect.'),
  code_challenge: text('PKCE challenge (S256); required with `code`.'),
  code_challenge_method: text('Only `S256`.'),
};
const AuthorizationRequest = Type.Object(members);
type AuthorizationRequest = Static<typeof AuthorizationRequest>;

const AuthorizationCreate = object('AuthorizationCreate', 'Authorization request.', members);
const Authorization = object('Authorization', 'Redirect target.', { location: Type.String() });

/** Nothing is sent to an unregistered redirect URI, not even an error. */
function checkClient({ oauth }: Deps, { client_id, redirect_uri }: AuthorizationRequest): ApiError | undefined {
  const client = oauth.clients.find(({ id }) => id === client_id);
  if (!client) return invalid('client_id', 'unknown client');
  return client.redirectUris.includes(redirect_uri)
    ? undefined
    : invalid('redirect_uri', 'is not registered for this client');
}

/** Errors for a registered client (RFC 6749 section 4.1.2.1). */
function oauthError({
  response_type,
  code_challenge,
  code_challenge_method = 'S256',
}: AuthorizationRequest): string | undefined {
  if (response_type === 'token') return undefined;
  if (response_type !== 'code') return 'unsupported_response_type';
  return code_challenge_method === 'S256' && /^[\w-]{43}$/.test(code_challenge ?? '') ? undefined : 'invalid_request';
}

/** Authorizes the client for the caller and returns the redirect URL. */
async function authorize(
  store: Transaction,
  deps: Deps,
  caller: Caller & SessionOrigin,
  input: AuthorizationRequest,
): Promise<string> {
  const { redirect_uri, client_id, state, response_type, code_challenge = '' } = input;
  const error = oauthError(input);
  if (error) return withParameters(redirect_uri, '?', { error, state });
  const { account, user, from, userAgent } = caller;
  if (response_type === 'token') {
    const sessionKind = { kind: 'client', id: client_id } as const;
    const session = { sessionKind, from, userAgent };
    const { accessToken } = await openSession(store, deps, { account, id: user }, session);
    const parameters = { access_token: accessToken, token_type: 'Bearer', expires_in: String(CLIENT_SECONDS), state };
    return withParameters(redirect_uri, '#', parameters);
  }
  const { secret, hash } = issue(deps, 'authorization code');
  const content: Authorized = {
    account,
    user,
    client: client_id,
    redirectUri: redirect_uri,
    challenge: code_challenge,
  };
  await store.oneTimeTokens.put({ kind: CODE_TOKEN, hash, content, expiresAt: deps.now() + CODE_MS });
  return withParameters(redirect_uri, '?', { code: secret, state });
}

function withParameters(
  uri: string,
  mark: '?' | '#',
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const defined = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const joint = mark === '?' && uri.includes('?') ? '&' : mark;
  return uri + joint + new URLSearchParams(defined).toString();
}

const redirect = (location: string) => ok({ status: 302, headers: { location }, content: '' });

const authorizePage = publicRoute({
  method: 'GET',
  path: '/oapi/v1/oauth_authorize',
  operationId: 'authorize',
  group: 'Authentication',
  summary: 'Authorize a client (OAuth 2.0)',
  description:
    'Redirects the browser to the sign-in page. If the request has valid credentials, it redirects to `redirect_uri` with a code, or with an access token for `response_type=token`.',
  query: Type.Object({ ...members, aid: text('Ignored.'), source: text('Ignored.') }),
  responseDescription: 'Redirect to the sign-in page or to `redirect_uri`.',
  errors: [400],
  run: async (deps, { query, authorization, from, userAgent }) => {
    const error = checkClient(deps, query);
    if (error) return err(error);
    const caller = await authenticate(deps, authorization);
    if (!caller.ok || caller.value.session === undefined)
      return redirect(withParameters(deps.oauth.signInPage, '?', query));
    const location = await deps.store.inTransaction(async (store) => {
      await store.audit.add(auditEntry(deps, { ...caller.value, from }, noteOf(query)));
      return authorize(store, deps, { ...caller.value, from, userAgent }, query);
    });
    return redirect(location);
  },
});

const noteOf = ({ client_id }: AuthorizationRequest) => ({ action: 'authorization.create', subject: client_id });

const { 200: sent, ...errors } = authorizePage.answers;

export const authorizationOperations: readonly Operation[] = [
  { ...authorizePage, answers: { 302: sent!, ...errors } },
  mutation({
    method: 'POST',
    path: '/api/v1/authorizations',
    operationId: 'createAuthorization',
    group: 'Authentication',
    summary: 'Approve an authorization request',
    description:
      'The signed-in user approves the request of a third-party app, as the page `/authorize` does. The redirect passes a code or a token to the app.',
    requires: 'self',
    body: AuthorizationCreate,
    reply: Authorization,
    responseDescription: 'Redirect target.',
    errors: [400],
    run: async (
      store,
      { caller, body, from, userAgent },
      deps,
    ): Promise<Result<never, ApiError> | ReturnType<typeof granted>> => {
      const error = checkClient(deps, body);
      const asking = { ...caller, from, userAgent };
      return error ? err(error) : granted(await authorize(store, deps, asking, body), body);
    },
  }),
];

const granted = (location: string, input: AuthorizationRequest) => ok({ reply: { location }, audit: noteOf(input) });

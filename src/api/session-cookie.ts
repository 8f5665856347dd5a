import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { User } from '../domain/account.ts';
import { parseCookies } from '../http/parse-cookies.ts';
import type { Deps } from './deps.ts';
import type { Raw } from './operation.ts';
import type { SessionKind, Tokens } from './sign-in.ts';
import { type Session, sessionToWire } from './wire/people.ts';

type Needs = Pick<Deps, 'publicUrl'>;
type Opening = Pick<Deps, 'sessionIdleMinutes'>;

/** Whether the browser uses HTTPS or plain HTTP, which determines the name of the cookie. */
export type CookieKind = 'secure' | 'plain';

/** A browser uses HTTPS if this connection does, or if `public-url` is https, because then a proxy terminates TLS. */
const cookieKind = ({ publicUrl }: Needs, { protocol }: FastifyRequest): CookieKind =>
  protocol === 'https' || publicUrl().startsWith('https:') ? 'secure' : 'plain';

// The __Host- prefix makes browsers reject the cookie from other hosts. It requires HTTPS.
const names: Readonly<Record<CookieKind, string>> = { secure: '__Host-weir-session', plain: 'weir-session' };

const cookie = (kind: CookieKind, value: string, seconds: number): string =>
  `${names[kind]}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${kind === 'secure' ? '; Secure' : ''}`;

/** The cookie that the request asks for, with a custom header that pages of other origins cannot send. */
export const wantedCookie = (deps: Needs, request: FastifyRequest): CookieKind | undefined =>
  request.headers['session-in'] === 'cookie' ? cookieKind(deps, request) : undefined;

/** 0: the session has no idle timeout of minutes. */
export const idleMinutesOf = ({ sessionIdleMinutes }: Opening, sessionKind: SessionKind): number =>
  sessionKind.kind === 'page' && !sessionKind.isPersistent ? sessionIdleMinutes : 0;

/** Returns the tokens of a new session in the body, or in a cookie that scripts cannot read. */
export function answerSession(
  deps: Opening,
  inCookie: CookieKind | undefined,
  tokens: Tokens,
  user: User,
): Static<typeof Session> | Raw {
  const session = sessionToWire(tokens, user, idleMinutesOf(deps, tokens.sessionKind));
  if (!inCookie) return session;
  const { access_token: _, refresh_token: __, ...shown } = session;
  return {
    headers: {
      'content-type': 'application/json',
      'set-cookie': cookie(inCookie, tokens.accessToken, tokens.expiresInSeconds),
    },
    content: Buffer.from(JSON.stringify(shown)),
  };
}

/** Also clears cached pages, so that the back button does not show them. */
export const withoutCookie = (kind: CookieKind): Raw => ({
  headers: { 'set-cookie': cookie(kind, '', 0), 'clear-site-data': '"cache"' },
  content: '',
});

/** Deletes the cookie of a session that has ended. */
export const endOfCookie = (deps: Needs, request: FastifyRequest): Readonly<Record<string, string>> =>
  request.headers.authorization === undefined && credentialsOf(deps, request).length > 0
    ? { 'set-cookie': cookie(cookieKind(deps, request), '', 0) }
    : {};

/** The Authorization headers, or the session cookie if the request comes from our own page. */
export function credentialsOf(deps: Needs, request: FastifyRequest): readonly string[] {
  const authorization = request.raw.headersDistinct['authorization'] ?? [];
  const { cookie: cookies } = request.headers;
  if (authorization.length > 0 || cookies === undefined || !isFromOwnPage(request)) return authorization;
  return parseCookies(cookies)
    .filter(({ name }) => name === names[cookieKind(deps, request)])
    .map(({ value }) => `Bearer ${value}`);
}

/**
 * SameSite does not distinguish ports of a host. Browsers send `Origin` with requests that may change something, and
 * `Sec-Fetch-Site` with every request over a secure connection.
 */
function isFromOwnPage({ method, headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) return false;
  // `none`: opened from the address bar, for example a download.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const onlyReads = method === 'GET' || method === 'HEAD';
  return onlyReads || origin !== undefined || site === 'same-origin';
}

/**
 * Scheme, host and port of the page that sends a request. Browsers send them in `Origin`; the connection may have another scheme if a proxy
 * terminates HTTPS.
 */
export function pageOriginOf({ protocol, headers: { origin, host = '' } }: FastifyRequest): string {
  const isOwn = origin !== undefined && hostOf(origin) === host.toLowerCase();
  return (isOwn ? origin : `${protocol}://${host}`).toLowerCase();
}

const hostOf = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];

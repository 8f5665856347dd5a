import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { User } from '../domain/account.ts';
import { parseCookies } from '../http/parse-cookies.ts';
import type { Deps } from './deps.ts';
import type { Raw } from './operation.ts';
import type { Tokens } from './sign-in.ts';
import { type Session, sessionToWire } from './wire/people.ts';

type Needs = Pick<Deps, 'publicUrl'>;
type Opening = Needs & Pick<Deps, 'sessionIdleMinutes'>;

const isSecure = ({ publicUrl }: Needs): boolean => publicUrl().startsWith('https:');

// The prefix makes browsers refuse the cookie from another host or over plain HTTP, where they would refuse us ours too.
const nameOf = (deps: Needs): string => (isSecure(deps) ? '__Host-weir-session' : 'weir-session');

const cookie = (deps: Needs, value: string, seconds: number): string =>
  `${nameOf(deps)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure(deps) ? '; Secure' : ''}`;

/** Our pages ask for it, with a header that no page of another origin may send: their tokens are kept from scripts. */
export const wantsCookie = ({ headers }: FastifyRequest): boolean => headers['session-in'] === 'cookie';

/** The tokens of a new session: in the answer, or in a cookie that no script can read. */
export function answerSession(
  deps: Opening,
  inCookie: boolean,
  tokens: Tokens,
  user: User,
): Static<typeof Session> | Raw {
  const session = sessionToWire(tokens, user, inCookie ? deps.sessionIdleMinutes : 0);
  if (!inCookie) return session;
  const { access_token: _, refresh_token: __, ...shown } = session;
  return {
    headers: {
      'content-type': 'application/json',
      'set-cookie': cookie(deps, tokens.accessToken, tokens.expiresInSeconds),
    },
    content: Buffer.from(JSON.stringify(shown)),
  };
}

/** What the browser has of the pages goes with the session: the button that goes back shows nothing of it. */
export const withoutCookie = (deps: Needs): Raw => ({
  headers: { 'set-cookie': cookie(deps, '', 0), 'clear-site-data': '"cache"' },
  content: '',
});

/** What is told with a refusal to a page whose session is over: its cookie is good for nothing. */
export const endOfCookie = (deps: Needs, request: FastifyRequest): Readonly<Record<string, string>> =>
  request.headers.authorization === undefined && credentialsOf(deps, request).length > 0
    ? { 'set-cookie': cookie(deps, '', 0) }
    : {};

/** What a request authenticates by: its Authorization headers; without any, the cookie, if our own page has sent it. */
export function credentialsOf(deps: Needs, request: FastifyRequest): readonly string[] {
  const given = request.raw.headersDistinct['authorization'] ?? [];
  const { cookie: cookies } = request.headers;
  if (given.length > 0 || cookies === undefined || !isFromOwnPage(request)) return given;
  return parseCookies(cookies)
    .filter(({ name }) => name === nameOf(deps))
    .map(({ value }) => `Bearer ${value}`);
}

/**
 * SameSite alone does not tell apart the ports of a host. Browsers say where a request comes from: all of them in `Origin` with whatever
 * may change something, and where the connection is trusted with every request in `Sec-Fetch-Site`.
 */
function isFromOwnPage({ method, headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) return false;
  // `none` is a person who opened the address: a download, for one.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const onlyReads = method === 'GET' || method === 'HEAD';
  return onlyReads || origin !== undefined || site === 'same-origin';
}

const hostOf = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];

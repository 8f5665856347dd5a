import { sipHash } from '../kit/siphash.ts';
import { long, putLong } from './bytes.ts';

// Server cookie: version, three reserved bytes, timestamp, hash (RFC 9018, 4). Servers that share the secret accept each
// other's cookies.
const CLIENT_LENGTH = 8;
const SERVER_LENGTH = 16;
const VERSION = 1;
const HASH_AT = 8;
export const COOKIE_LENGTH = CLIENT_LENGTH + SERVER_LENGTH;

const OLDEST_SECONDS = 3600;
const RENEW_AFTER_SECONDS = 1800;
const FARTHEST_AHEAD_SECONDS = 300;

/** `none`: no server cookie yet. `renew`: valid, but due for renewal. */
export type CookieState = 'none' | 'valid' | 'renew' | 'invalid';

const hashed = new Uint8Array(CLIENT_LENGTH + HASH_AT + 16);
const expected = new Uint8Array(8);

/** Writes client cookie and server cookie, 24 bytes, as option data. */
export function writeCookie(
  into: Uint8Array,
  at: number,
  query: { readonly bytes: Uint8Array; readonly cookieAt: number },
  address: Uint8Array,
  secret: Uint8Array,
  nowSeconds: number,
): void {
  for (let i = 0; i < CLIENT_LENGTH; i++) into[at + i] = query.bytes[query.cookieAt + i]!;
  const server = at + CLIENT_LENGTH;
  into[server] = VERSION;
  into[server + 1] = into[server + 2] = into[server + 3] = 0;
  putLong(into, server + 4, nowSeconds);
  hash(into, at, address, secret, into, server + HASH_AT);
}

/** Whether the cookie of a query was issued to this address with one of the secrets. */
export function checkCookie(
  bytes: Uint8Array,
  at: number,
  length: number,
  address: Uint8Array,
  secrets: readonly Uint8Array[],
  nowSeconds: number,
): CookieState {
  if (length === CLIENT_LENGTH) return 'none';
  if (length !== COOKIE_LENGTH || bytes[at + CLIENT_LENGTH] !== VERSION) return 'invalid';
  // Serial number arithmetic (RFC 1982), correct across wrap-around.
  const age = (nowSeconds - long(bytes, at + CLIENT_LENGTH + 4)) | 0;
  if (age > OLDEST_SECONDS || age < -FARTHEST_AHEAD_SECONDS) return 'invalid';
  const made = secrets.findIndex((secret) => isMadeWith(bytes, at, address, secret));
  if (made === -1) return 'invalid';
  return made > 0 || age > RENEW_AFTER_SECONDS ? 'renew' : 'valid';
}

function isMadeWith(bytes: Uint8Array, at: number, address: Uint8Array, secret: Uint8Array): boolean {
  hash(bytes, at, address, secret, expected, 0);
  // Compare all eight bytes: timing must not reveal how many match.
  let difference = 0;
  for (let i = 0; i < 8; i++) difference |= expected[i]! ^ bytes[at + CLIENT_LENGTH + HASH_AT + i]!;
  return difference === 0;
}

function hash(
  cookie: Uint8Array,
  at: number,
  address: Uint8Array,
  secret: Uint8Array,
  into: Uint8Array,
  intoAt: number,
): void {
  const before = CLIENT_LENGTH + HASH_AT;
  for (let i = 0; i < before; i++) hashed[i] = cookie[at + i]!;
  for (let i = 0; i < address.length; i++) hashed[before + i] = address[i]!;
  sipHash(secret, hashed, 0, before + address.length, into, intoAt);
}

import { sipHash } from '../kit/siphash.ts';
import { readUint32, writeUint32 } from './bytes.ts';

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
const digest = new Uint8Array(8);

/** Address and secret that a server cookie is bound to, and the time of its issue. */
export type CookieBinding = { address: Uint8Array; secret: Uint8Array; seconds: number };

/** Writes client cookie and server cookie, 24 bytes, as option data. The client cookie is in the query at `cookieAt`. */
export function writeCookie(into: Uint8Array, query: Uint8Array, cookieAt: number, binding: CookieBinding): void {
  for (let i = 0; i < CLIENT_LENGTH; i++) into[i] = query[cookieAt + i]!;
  into[CLIENT_LENGTH] = VERSION;
  into[CLIENT_LENGTH + 1] = into[CLIENT_LENGTH + 2] = into[CLIENT_LENGTH + 3] = 0;
  writeUint32(into, CLIENT_LENGTH + 4, binding.seconds);
  hash(into, 0, binding.address, binding.secret);
  for (let i = 0; i < digest.length; i++) into[CLIENT_LENGTH + HASH_AT + i] = digest[i]!;
}

/** Whether the cookie of a query was issued to this address with one of the secrets. */
export function checkCookie(
  query: Uint8Array,
  { cookieAt: at, cookieLength }: { readonly cookieAt: number; readonly cookieLength: number },
  address: Uint8Array,
  secrets: readonly Uint8Array[],
  nowSeconds: number,
): CookieState {
  if (cookieLength === CLIENT_LENGTH) return 'none';
  if (cookieLength !== COOKIE_LENGTH || query[at + CLIENT_LENGTH] !== VERSION) return 'invalid';
  // Serial number arithmetic (RFC 1982), correct across wrap-around.
  const age = (nowSeconds - readUint32(query, at + CLIENT_LENGTH + 4)) | 0;
  if (age > OLDEST_SECONDS || age < -FARTHEST_AHEAD_SECONDS) return 'invalid';
  const issuedWith = secrets.findIndex((secret) => isIssuedWith(query, at, address, secret));
  if (issuedWith === -1) return 'invalid';
  return issuedWith > 0 || age > RENEW_AFTER_SECONDS ? 'renew' : 'valid';
}

function isIssuedWith(query: Uint8Array, at: number, address: Uint8Array, secret: Uint8Array): boolean {
  hash(query, at, address, secret);
  // Compare all eight bytes: timing must not reveal how many match.
  let difference = 0;
  for (let i = 0; i < digest.length; i++) difference |= digest[i]! ^ query[at + CLIENT_LENGTH + HASH_AT + i]!;
  return difference === 0;
}

/** Hash of a cookie up to its hash, and of the client's address, into `digest`. */
function hash(cookie: Uint8Array, at: number, address: Uint8Array, secret: Uint8Array): void {
  const before = CLIENT_LENGTH + HASH_AT;
  for (let i = 0; i < before; i++) hashed[i] = cookie[at + i]!;
  for (let i = 0; i < address.length; i++) hashed[before + i] = address[i]!;
  sipHash(secret, hashed, 0, before + address.length, digest);
}

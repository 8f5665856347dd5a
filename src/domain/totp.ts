import { fromBase32, toBase32 } from './base-encoding.ts';

/** HMAC-SHA-1, provided by the caller. */
export type HmacSha1 = (key: Uint8Array, message: Uint8Array) => Uint8Array;

const STEP_MS = 30_000;
const DIGITS = 6;
// RFC 6238 section 5.2: accepts one step before and after, for clock skew and delay.
const STEPS_OF_GRACE = [0, -1, 1];

export const RANDOM_BYTES_OF_TOTP_SECRET = 20;
export const newTotpSecret = (random: Uint8Array): string => toBase32(random.subarray(0, RANDOM_BYTES_OF_TOTP_SECRET));

export type TotpTry = {
  /** Secret in base32. */
  readonly secret: string;
  readonly code: string;
  readonly now: number;
  readonly lastStep: number | undefined;
};

/** Returns the step of the code, to be stored as the last used one; undefined if the code is wrong or was used before. */
export function acceptTotp({ secret, code, now, lastStep = -1 }: TotpTry, hmac: HmacSha1): number | undefined {
  const key = fromBase32(secret);
  const digits = code.replaceAll(/\s/g, '');
  if (!key || key.length === 0 || !/^\d{6}$/.test(digits)) return undefined;
  const current = Math.floor(now / STEP_MS);
  const right = STEPS_OF_GRACE.map((away) => current + away).filter((step) => totpCode(key, step, hmac) === digits);
  return right.find((step) => step > lastStep);
}

/** RFC 6238 over RFC 4226 section 5.3. */
export function totpCode(key: Uint8Array, step: number, hmac: HmacSha1, digits = DIGITS): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.max(step, 0)));
  const mac = hmac(key, new Uint8Array(counter.buffer));
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength);
  const number = view.getUint32(mac.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** URI for the QR code of authenticator apps. */
export function otpauthUri(issuer: string, email: string, secret: string): string {
  const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
  // A colon separates issuer and account, so neither may contain one.
  const label = [issuer, email].map((text) => encode(text.replaceAll(':', ' '))).join(':');
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encode(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

import { X509Certificate } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';

/** Epoch milliseconds. */
export type Period = { readonly start: number; readonly end: number };

const SHARE_OF_LIFE = 2 / 3;
const MIN_USE_MS = 12 * HOUR_MS;
const FIRST_WAIT_MS = 5 * MINUTE_MS;
const MAX_WAIT_MS = DAY_MS;
const JITTER = 0.25;

/**
 * Renewal time: two thirds of the lifetime, or a time in the suggested window. Never shortly after issuance; otherwise a wrong clock, or a
 * suggestion that is always in the past, would cause endless requests. `random` is in [0, 1).
 */
export function renewalTime(
  life: Period,
  { obtainedAt, suggested }: { readonly obtainedAt: number; readonly suggested: Period | undefined },
  random: number,
): number {
  const period = suggested ?? { start: life.start + (life.end - life.start) * SHARE_OF_LIFE, end: life.end };
  // Without a suggestion, renewals are spread over a hundredth of the lifetime, because many servers may have started at the same time.
  const length = suggested ? period.end - period.start : (life.end - life.start) / 100;
  const earliest = obtainedAt + Math.min(MIN_USE_MS, (life.end - life.start) / 2);
  return Math.round(Math.max(earliest, period.start + length * random));
}

/** Wait after `failures` consecutive failures: from five minutes to a day, and at least the Retry-After of the authority. */
export function waitAfterFailure(failures: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(retryAfterMs ?? 0, Math.round(backoff * (1 - JITTER + 2 * JITTER * random)));
}

const MIN_CHECK_MS = HOUR_MS;
const MAX_CHECK_MS = DAY_MS;
const USUAL_CHECK_MS = 6 * HOUR_MS;

/** Wait until renewal information is read again (RFC 9773, 4.3). */
export const suggestionWait = (retryAfterMs: number): number =>
  retryAfterMs === 0 ? USUAL_CHECK_MS : Math.min(MAX_CHECK_MS, Math.max(MIN_CHECK_MS, retryAfterMs));

/** The `suggestedWindow` of a response (RFC 9773, 4.2). */
export function suggestedPeriod(json: Readonly<Record<string, unknown>>): Period | undefined {
  const period = json['suggestedWindow'];
  const { start, end } = (typeof period === 'object' && period !== null ? period : {}) as Record<string, unknown>;
  const [from, to] = [Date.parse(String(start)), Date.parse(String(end))];
  return from < to ? { start: from, end: to } : undefined;
}

const AUTHORITY_KEY = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x23]);

/** Certificate id for renewal information (RFC 9773, 4.1): key id of the authority, and serial number. */
export function certificateId(pem: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(pem);
  // Reads only the form of the extension (OID, OCTET STRING, SEQUENCE) with a key identifier [0], which all authorities use.
  const at = raw.indexOf(AUTHORITY_KEY);
  const sequence = at + AUTHORITY_KEY.length + 2;
  if (at < 0 || raw[sequence - 2] !== 0x04 || raw[sequence] !== 0x30 || raw[sequence + 2] !== 0x80) return undefined;
  const key = raw.subarray(sequence + 4, sequence + 4 + raw[sequence + 3]!);
  // As in DER, a zero byte precedes positive numbers whose first bit is set.
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(/^[89a-f]/i.test(hex) ? `00${hex}` : hex, 'hex');
  return `${key.toString('base64url')}.${serial.toString('base64url')}`;
}

import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';

/** Failed attempts of one key. Slows down guessing without locking anyone out. */
export type LoginThrottle = { readonly failures: number; readonly lastFailureAt: number };
export type ThrottleCheck = { readonly kind: 'yes' } | { readonly kind: 'wait'; readonly ms: number };

/** Each failure after the free ones doubles the wait. */
export const throttleRule = {
  freeFailures: 5,
  firstWaitMs: 1000,
  longestWaitMs: 15 * 60 * 1000,
  expiresAfterMs: 24 * 60 * 60 * 1000,
} as const;

/** Keys whose failures are reset by a success, and keys for which only the attempt itself is refunded. */
export type AttemptKeys = { readonly cleared: readonly string[]; readonly refunded: readonly string[] };

/** Counts of attempts that nodes share outside of the database. */
export type SharedAttempts = {
  /**
   * Counts an attempt as failed for each key, unless one of them has to wait. Returns the wait in milliseconds; undefined if the
   * counts cannot be reached.
   */
  readonly count: (keys: readonly string[]) => Promise<number | undefined>;
  /** If a refund is lost, the attempt remains counted. */
  readonly refund: (keys: AttemptKeys) => void;
};

/**
 * Attempts are counted when they start and refunded on success; otherwise a hundred parallel attempts could start before the first one has
 * failed.
 */
export const afterFailure = (throttle: LoginThrottle | undefined, now: number): LoginThrottle => ({
  failures: (throttle && !isExpired(throttle, now) ? throttle.failures : 0) + 1,
  lastFailureAt: now,
});

/** Refunds the attempt that was counted when it started. */
export const refund = (throttle: LoginThrottle): LoginThrottle | undefined =>
  throttle.failures > 1 ? { ...throttle, failures: throttle.failures - 1 } : undefined;

export function checkThrottle(throttle: LoginThrottle | undefined, now: number): ThrottleCheck {
  if (!throttle || isExpired(throttle, now)) return { kind: 'yes' };
  // A clock that was set back must not extend the wait.
  const passed = Math.max(0, now - throttle.lastFailureAt);
  const ms = waitMs(throttle.failures) - passed;
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'yes' };
}

const waitMs = (failures: number): number => {
  const { freeFailures, firstWaitMs, longestWaitMs } = throttleRule;
  return failures < freeFailures ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - freeFailures));
};

/** Time after which the entry can be deleted. */
export const expiresAt = (throttle: LoginThrottle): number => throttle.lastFailureAt + throttleRule.expiresAfterMs;

const isExpired = (throttle: LoginThrottle, now: number): boolean => now >= expiresAt(throttle);

/**
 * Both keys are counted, and both must allow an attempt. A success resets only the first; otherwise one valid account would unlock an
 * address for attacks on others.
 */
export type ThrottleKeys = { readonly accountFromAddress: string; readonly address: string };

export function throttleKeys(email: string, address: string): ThrottleKeys {
  const block = addressBlock(address);
  return { accountFromAddress: `account ${email.trim().toLowerCase()} from ${block}`, address: `address ${block}` };
}

/** Wrong two-factor codes of one user, from all addresses. */
export const factorThrottleKey = (user: string): string => `second factor of ${user}`;

/** Sign-ins with a passkey that were started: each stores a challenge. */
export const passkeyThrottleKey = (address: string): string => `passkey from ${addressBlock(address)}`;

/** Requests with invalid links. */
export const linkThrottleKey = (address: string): string => `link from ${addressBlock(address)}`;

/** An IPv4 address, or the /64 of an IPv6 address, which one customer can use freely. */
function addressBlock(address: string): string {
  const parsed = parseIp(address);
  if (!parsed) return address;
  const ip = unmapped(parsed);
  if (ip.family === 'V4') return formatIp(ip);
  return `${formatIp({ family: 'V6', bytes: ip.bytes.map((byte, index) => (index < 8 ? byte : 0)) })}/64`;
}

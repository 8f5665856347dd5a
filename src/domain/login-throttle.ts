import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';

/** Failed tries of one key. Slows down guessing without ever shutting anybody out. */
export type Brake = { readonly failures: number; readonly lastFailureAt: number };
export type MayTry = { readonly kind: 'yes' } | { readonly kind: 'wait'; readonly ms: number };

const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15 * 60 * 1000;
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * To be kept when a try begins, and taken back by whoever succeeds: a hundred tries at once must not all
 * begin before the first has failed.
 */
export const afterFailure = (brake: Brake | undefined, now: number): Brake => ({
  failures: (brake && !isForgotten(brake, now) ? brake.failures : 0) + 1,
  lastFailureAt: now,
});

/** For the address of one who succeeded: the try that was counted when it began was no failure. */
export const takeBack = (brake: Brake): Brake | undefined =>
  brake.failures > 1 ? { ...brake, failures: brake.failures - 1 } : undefined;

export function mayTry(brake: Brake | undefined, now: number): MayTry {
  if (!brake || isForgotten(brake, now)) return { kind: 'yes' };
  // A clock that was set back must not lengthen the wait.
  const passed = Math.max(0, now - brake.lastFailureAt);
  const ms = waitMs(brake.failures) - passed;
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'yes' };
}

const waitMs = (failures: number): number =>
  failures < FREE_FAILURES ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES));

/** From when on nothing is left to remember. */
export const forgetAt = (brake: Brake): number => brake.lastFailureAt + FORGOTTEN_AFTER_MS;

const isForgotten = (brake: Brake, now: number): boolean => now >= forgetAt(brake);

/** Both are counted and both must allow a try; success clears only the first, or one good account would free an address. */
export type BrakeKeys = { readonly accountFromAddress: string; readonly address: string };

export function brakeKeys(email: string, address: string): BrakeKeys {
  const block = addressBlock(address);
  return { accountFromAddress: `account ${email.trim().toLowerCase()} from ${block}`, address: `address ${block}` };
}

/** Wrong codes of the second factor of one user, from all addresses. */
export const factorThrottleKey = (user: string): string => `second factor of ${user}`;

/** For those who come with links that are none. */
export const linkBrakeKey = (address: string): string => `link from ${addressBlock(address)}`;

/** An IPv4 address, or the 64 bits of an IPv6 address that one customer has for the asking. */
function addressBlock(address: string): string {
  const given = parseIp(address);
  if (!given) return address;
  const ip = unmapped(given);
  if (ip.family === 'V4') return formatIp(ip);
  return `${formatIp({ family: 'V6', bytes: ip.bytes.map((byte, index) => (index < 8 ? byte : 0)) })}/64`;
}

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DialError } from './dial-error.ts';

/** Where the host of an upstream is. */
export type HostAddresses = {
  /** Fails with a `DialError`. */
  readonly get: () => Promise<string>;
  /** No connection there: the next is tried, and after the last the name is looked up again. */
  readonly failed: (address: string) => void;
};

export type FoundAddresses = { readonly addresses: readonly string[]; readonly ttlSeconds: number };
export type LookupHost = (name: string) => Promise<FoundAddresses>;

export const BOOTSTRAP_MS = 5000;
const SYSTEM_TTL_SECONDS = 300;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 3_600_000;
// However many connections fail, a name is not looked up more often.
const BETWEEN_LOOKUPS_MS = 1000;

export const fixedAddress = (address: string): HostAddresses => ({ get: async () => address, failed: () => {} });

/** Looks a name up when it is first needed, and keeps what was found until it is old or leads nowhere. */
export function lookedUpAddresses(name: string, find: LookupHost, now: () => number): HostAddresses {
  let known: readonly string[] = [];
  let current = 0;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let lastLookup = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | undefined;

  const lookUp = (): Promise<void> => {
    underway ??= (async () => {
      lastLookup = now();
      const { addresses, ttlSeconds } = await find(name);
      if (addresses.length === 0) throw new DialError('no address', `${name} has no address`);
      known = addresses;
      current = 0;
      freshUntil = now() + Math.min(Math.max(ttlSeconds * 1000, SHORTEST_MS), LONGEST_MS);
    })().finally(() => {
      underway = undefined;
    });
    return underway;
  };
  // What is known serves on when a look-up fails.
  const refresh = (): void => {
    if (now() - lastLookup >= BETWEEN_LOOKUPS_MS) lookUp().catch(() => {});
  };

  return {
    async get() {
      if (known.length === 0) await lookUp();
      else if (now() >= freshUntil) refresh();
      return known[current]!;
    },
    failed(address) {
      if (known[current] !== address) return;
      current = (current + 1) % known.length;
      if (current === 0) refresh();
    },
  };
}

/** Asks the system, which may ask for very long: only so long is waited. */
export const lookupBySystem =
  (limitMs = BOOTSTRAP_MS): LookupHost =>
  async (name) => {
    const found = await within(limitMs, lookup(name, { all: true, order: 'ipv4first' }), name);
    return { addresses: found.map(({ address }) => address), ttlSeconds: SYSTEM_TTL_SECONDS };
  };

export async function within<T>(limitMs: number, work: Promise<T>, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DialError('no address', `looking ${name} up took too long`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    throw error instanceof DialError ? error : new DialError('no address', (error as Error).message, error);
  } finally {
    clearTimeout(timer);
  }
}

/** `localhost` is known without asking anybody (RFC 6761, 6.3). */
export const knownAddress = (host: string): string | undefined =>
  isIP(host) !== 0 ? host : host === 'localhost' ? '127.0.0.1' : undefined;

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { singleFlight } from '../../kit/single-flight.ts';
import { DialError } from './dial-error.ts';

/** Addresses of an upstream's host. */
export type HostAddresses = {
  /** The only address, if it needs no lookup. */
  readonly fixed?: string;
  /** Fails with a `DialError`. */
  readonly get: () => Promise<string>;
  /** All addresses, the one in use first. Fails with a `DialError`. */
  readonly all: () => Promise<readonly string[]>;
  /** Reports that a connection to this address was established; it is used from now on. */
  readonly connected: (address: string) => void;
  /** Reports that a connection failed; the next address is used, and after the last one the name is looked up again. */
  readonly failed: (address: string) => void;
};

export type FoundAddresses = { readonly addresses: readonly string[]; readonly ttlSeconds: number };
export type LookupHost = (name: string) => Promise<FoundAddresses>;

export const BOOTSTRAP_MS = 5000;
const SYSTEM_TTL_SECONDS = 300;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 3_600_000;
// Minimum interval between lookups, independent of the number of failed connections.
const BETWEEN_LOOKUPS_MS = 1000;

export const fixedAddress = (address: string): HostAddresses => ({
  fixed: address,
  get: async () => address,
  all: async () => [address],
  connected: () => {},
  failed: () => {},
});

/** Looks the name up on first use, and again when the result is old or no address works. */
export function lookedUpAddresses(name: string, find: LookupHost, now: () => number): HostAddresses {
  let cached: readonly string[] = [];
  let current = 0;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let lastLookup = Number.NEGATIVE_INFINITY;
  const lookups = singleFlight<void>();

  const lookUp = (): Promise<void> =>
    lookups.run(async () => {
      lastLookup = now();
      const { addresses, ttlSeconds } = await find(name);
      if (addresses.length === 0) throw new DialError('no address', `${name} has no address`);
      cached = addresses;
      current = 0;
      freshUntil = now() + Math.min(Math.max(ttlSeconds * 1000, SHORTEST_MS), LONGEST_MS);
    });
  // The cached addresses stay in use if a lookup fails.
  const refresh = (): void => {
    if (now() - lastLookup >= BETWEEN_LOOKUPS_MS) lookUp().catch(() => {});
  };

  const load = async (): Promise<void> => {
    if (cached.length === 0) await lookUp();
    else if (now() >= freshUntil) refresh();
  };

  return {
    async get() {
      await load();
      return cached[current]!;
    },
    async all() {
      await load();
      return [...cached.slice(current), ...cached.slice(0, current)];
    },
    connected(address) {
      const index = cached.indexOf(address);
      if (index !== -1) current = index;
    },
    failed(address) {
      if (cached[current] !== address) return;
      current = (current + 1) % cached.length;
      if (current === 0) refresh();
    },
  };
}

/** The system resolver, with an additional time limit because it may take very long. */
export const lookupBySystem =
  (limitMs = BOOTSTRAP_MS): LookupHost =>
  async (name) => {
    const results = await within(limitMs, lookup(name, { all: true, order: 'ipv4first' }), name);
    return { addresses: results.map(({ address }) => address), ttlSeconds: SYSTEM_TTL_SECONDS };
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

/** `localhost` needs no lookup (RFC 6761, 6.3). */
export const knownAddress = (host: string): string | undefined =>
  isIP(host) !== 0 ? host : host === 'localhost' ? '127.0.0.1' : undefined;

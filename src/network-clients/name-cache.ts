import { forEachLimit } from '../kit/concurrency.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';

type CachedNames = {
  readonly ptr: readonly string[];
  readonly mdns: readonly string[];
  readonly dueAt: number;
  readonly wantedAt: number;
};

type NameCacheDeps = {
  readonly lookUpPtr: (address: string) => Promise<readonly string[]>;
  readonly lookUpMdns: (address: string) => Promise<readonly string[]>;
  readonly now: () => number;
};

const FOUND_MS = HOUR_MS;
const MISSING_MS = 10 * MINUTE_MS;
const MAX_ENTRIES = 10_000;
// Lookups per round; with a round every ten seconds, at most five per second.
const LOOKUPS_PER_ROUND = 50;
const AT_ONCE = 8;

/** Host names that were looked up, by address. */
export function nameCache({ lookUpPtr, lookUpMdns, now }: NameCacheDeps) {
  const cached = new Map<string, CachedNames>();

  const lookUp = async (address: string, isNamed: boolean): Promise<void> => {
    const ptr = await lookUpPtr(address);
    // The host is queried only if no other source has a name.
    const mdns = ptr.length > 0 || isNamed ? [] : await lookUpMdns(address);
    const isFound = ptr.length > 0 || mdns.length > 0;
    cached.set(address, { ptr, mdns, dueAt: now() + (isFound ? FOUND_MS : MISSING_MS), wantedAt: now() });
  };

  const evict = (): void => {
    for (const [address, { wantedAt }] of cached) if (now() - wantedAt > DAY_MS) cached.delete(address);
    const oldest = [...cached].sort(([, one], [, other]) => one.wantedAt - other.wantedAt);
    for (const [address] of oldest.slice(0, Math.max(0, cached.size - MAX_ENTRIES))) cached.delete(address);
  };

  return {
    /** One round: looks up addresses without an entry first, then expired entries. Returns the addresses of the round. */
    async refresh(addresses: Iterable<string>, isNamed: (address: string) => boolean): Promise<ReadonlySet<string>> {
      const wanted = [...new Set(addresses)];
      for (const address of wanted) {
        const entry = cached.get(address);
        if (entry) cached.set(address, { ...entry, wantedAt: now() });
      }
      const due = wanted
        .map((address) => ({ address, dueAt: cached.get(address)?.dueAt ?? 0 }))
        .filter(({ dueAt }) => dueAt <= now())
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, LOOKUPS_PER_ROUND);
      await forEachLimit(AT_ONCE, due, ({ address }) => lookUp(address, isNamed(address)));
      evict();
      return new Set(due.map(({ address }) => address));
    },
    names: (source: 'ptr' | 'mdns') =>
      Array.from(cached, ([address, entry]) => ({ address, names: entry[source] })).filter(
        ({ names }) => names.length > 0,
      ),
  };
}

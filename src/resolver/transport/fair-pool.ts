/** Time of joining; the member with the smallest value is the oldest. */
type Member = { readonly since: number };

export type FairPoolOptions<T> = {
  readonly size: number;
  /** Maximum number of members per network. */
  readonly perNetwork?: number;
  /** Members younger than this are evicted only for networks that have fewer, so that a network cannot continuously displace its own. */
  readonly minAgeMs?: number;
  /** Busy members are evicted only for a network that has fewer members. */
  readonly isBusy?: (member: T) => boolean;
};

export type FairPool<T> = {
  readonly size: () => number;
  readonly has: (member: T) => boolean;
  readonly add: (member: T, network: string) => void;
  readonly delete: (member: T) => void;
  readonly hasRoomFor: (network: string) => boolean;
  /** The member to evict for a new one of this network: the oldest of the network with the most members. */
  readonly victimFor: (network: string, now: number) => T | undefined;
  /** The oldest member of the network with the most members, if it is not busy. */
  readonly victim: () => T | undefined;
  readonly members: () => IterableIterator<T>;
  /** Members beyond the new size remain until they are deleted. */
  readonly resize: (size: number) => void;
};

/** A bounded set in which no network can displace others: members of the largest network are evicted first. */
export function createFairPool<T extends Member>(options: FairPoolOptions<T>): FairPool<T> {
  const { perNetwork = Infinity, minAgeMs = 0, isBusy = () => false } = options;
  let { size: limit } = options;
  const networks = new Map<string, Set<T>>();
  const networkOf = new Map<T, string>();

  const countOf = (network: string): number => networks.get(network)?.size ?? 0;

  const oldestOf = (members: ReadonlySet<T>, mayBeBusy: boolean): T | undefined => {
    let oldest: T | undefined;
    for (const member of members)
      if (isBusy(member) === mayBeBusy && member.since < (oldest?.since ?? Infinity)) oldest = member;
    return oldest;
  };

  /**
   * `share`: number of members of the new member's network, including it. Members are evicted for a network with at least as many
   * members only if they joined before `bornBefore`.
   */
  const pick = (joining: ReadonlySet<T> | undefined, share: number, bornBefore: number): T | undefined => {
    let victim: T | undefined;
    let most = 0;
    for (const members of networks.values()) {
      const count = members === joining ? share : members.size;
      if (count < most) continue;
      const oldest = oldestOf(members, false) ?? (count > share ? oldestOf(members, true) : undefined);
      if (!oldest || (count <= share && oldest.since > bornBefore)) continue;
      if (count === most && victim && victim.since <= oldest.since) continue;
      victim = oldest;
      most = count;
    }
    return victim;
  };

  return {
    size: () => networkOf.size,
    has: (member) => networkOf.has(member),
    add(member, network) {
      networkOf.set(member, network);
      const members = networks.get(network);
      if (members) members.add(member);
      else networks.set(network, new Set([member]));
    },
    delete(member) {
      const network = networkOf.get(member);
      if (network === undefined) return;
      networkOf.delete(member);
      const members = networks.get(network)!;
      members.delete(member);
      if (members.size === 0) networks.delete(network);
    },
    hasRoomFor: (network) => networkOf.size < limit && countOf(network) < perNetwork,
    victimFor(network, now) {
      const members = networks.get(network);
      const bornBefore = now - minAgeMs;
      if (members && members.size >= perNetwork) {
        const oldest = oldestOf(members, false);
        return oldest && oldest.since <= bornBefore ? oldest : undefined;
      }
      // A network without members is always admitted.
      return pick(members, (members?.size ?? 0) + 1, members ? bornBefore : Infinity);
    },
    victim: () => pick(undefined, Infinity, Infinity),
    members: () => networkOf.keys(),
    resize(size) {
      limit = size;
    },
  };
}

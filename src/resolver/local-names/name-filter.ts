import { foldByte } from '../../kit/fold-byte.ts';

/** Tests without a lookup whether a name may be local. Threads that have only the filter forward such queries. */
export type NameFilter = {
  /** Shared by all threads. */
  readonly memory: SharedArrayBuffer;
  /** The name is in `bytes` from `at` to `end`, including its root byte. False positives are rare. Allocates nothing. */
  readonly mayMatch: (bytes: Uint8Array, at: number, end: number) => boolean;
};

export type FilteredNames = {
  /** In wire format and lower case. */
  readonly names: Iterable<Uint8Array>;
  /** Domains whose names match, and all names below them. */
  readonly zones: Iterable<Uint8Array>;
  /** Whether every name with one label matches. */
  readonly matchesSingleLabels: boolean;
};

// Layout: mask of the slots, flags, then the hashes; 0 is a free slot.
const MASK = 0;
const FLAGS = 1;
const SLOTS = 2;
const HAS_ZONES = 1;
const SINGLE_LABELS = 2;
const OF_NAME = 0x811c9dc5;
const OF_ZONE = 0x2545f491;

export function createNameFilter({ names, zones, matchesSingleLabels }: FilteredNames): NameFilter {
  const zoneHashes = Array.from(zones, (zone) => hashOf(zone, 0, zone.length, OF_ZONE));
  const hashes = [...Array.from(names, (name) => hashOf(name, 0, name.length, OF_NAME)), ...zoneHashes];
  // At most half full, so that probing ends soon.
  const size = 2 ** Math.ceil(Math.log2(Math.max(4, hashes.length * 2)));
  const memory = new SharedArrayBuffer((SLOTS + size) * 4);
  const words = new Int32Array(memory);
  words[MASK] = size - 1;
  words[FLAGS] = (zoneHashes.length > 0 ? HAS_ZONES : 0) | (matchesSingleLabels ? SINGLE_LABELS : 0);
  for (const hash of hashes) {
    let slot = hash & (size - 1);
    while (words[SLOTS + slot] !== 0 && words[SLOTS + slot] !== hash) slot = (slot + 1) & (size - 1);
    words[SLOTS + slot] = hash;
  }
  return openNameFilter(memory);
}

export function openNameFilter(memory: SharedArrayBuffer): NameFilter {
  const words = new Int32Array(memory);
  const mask = words[MASK]!;
  const hasZones = (words[FLAGS]! & HAS_ZONES) !== 0;
  const matchesSingleLabels = (words[FLAGS]! & SINGLE_LABELS) !== 0;

  const has = (hash: number): boolean => {
    for (let slot = hash & mask; words[SLOTS + slot] !== 0; slot = (slot + 1) & mask)
      if (words[SLOTS + slot] === hash) return true;
    return false;
  };

  return {
    memory,
    mayMatch(bytes, at, end) {
      if (has(hashOf(bytes, at, end, OF_NAME))) return true;
      if (matchesSingleLabels && at + bytes[at]! + 2 === end) return true;
      if (!hasZones) return false;
      for (let label = at; label < end - 1; label += bytes[label]! + 1)
        if (has(hashOf(bytes, label, end, OF_ZONE))) return true;
      return false;
    },
  };
}

/** Never 0, which marks a free slot. */
function hashOf(bytes: Uint8Array, at: number, end: number, seed: number): number {
  let hash = seed | 0;
  for (let i = at; i < end; i++) hash = Math.imul(hash ^ foldByte(bytes[i]!), 0x01000193);
  hash ^= hash >>> 15;
  return hash === 0 ? 1 : hash;
}

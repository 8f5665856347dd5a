import { LRUCache } from 'lru-cache';

type Entry = { readonly key: string; readonly contentId: string };

/** LRU index of the stored results up to a total of bytes, by key and by content. */
export function resultIndex<E extends Entry>({ maxBytes }: { maxBytes: number }) {
  // Two configurations may give the same list.
  const keysOf = new Map<string, Set<string>>();
  let evicted: E[] = [];
  const byKey = new LRUCache<string, E>({
    // LRUCache requires at least 1; `put` rejects what exceeds `maxBytes`.
    maxSize: Math.max(1, maxBytes),
    dispose: (entry, key, reason) => {
      const keys = keysOf.get(entry.contentId);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(entry.contentId);
      if (reason === 'evict') evicted.push(entry);
    },
  });

  return {
    /** Marks the entry as recently used. */
    get: (key: string): E | undefined => byKey.get(key),
    getByContent(contentId: string): E | undefined {
      const [key] = keysOf.get(contentId) ?? [];
      return key === undefined ? undefined : byKey.get(key);
    },
    /** Returns the evicted entries; this includes the new one if it is larger than `maxBytes`. */
    put(entry: E, bytes: number): readonly E[] {
      byKey.delete(entry.key);
      if (bytes > maxBytes) return [entry];
      evicted = [];
      byKey.set(entry.key, entry, { size: bytes });
      keysOf.set(entry.contentId, (keysOf.get(entry.contentId) ?? new Set()).add(entry.key));
      return evicted;
    },
    forget: (key: string): void => void byKey.delete(key),
  };
}

import { LRUCache } from 'lru-cache';
import type { ResultCache } from './result-cache.ts';

/** Keeps the lists that are asked for most in memory, in front of wherever they are kept. */
export function memoryBefore(cache: ResultCache, maxBytes: number): ResultCache {
  // By content: whatever is saved meanwhile, a list found here is the one that was asked for.
  const hot = new LRUCache<string, Buffer>({ maxSize: maxBytes });
  return {
    ...cache,
    async read(key, contentId) {
      const name = contentId === undefined ? undefined : `${key} ${contentId}`;
      const found = hot.get(name ?? '') ?? (await cache.read(key, contentId));
      if (name && found) hot.set(name, found, { size: found.length });
      return found;
    },
  };
}

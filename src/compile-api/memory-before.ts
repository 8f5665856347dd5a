import { lru } from '../kit/lru.ts';
import type { ResultCache } from './result-cache.ts';

/** Keeps the lists that are asked for most in memory, in front of wherever they are kept. */
export function memoryBefore(cache: ResultCache, maxBytes: number): ResultCache {
  const hot = lru<Buffer>({ maxBytes });
  return {
    ...cache,
    async read(key) {
      const found = hot.get(key) ?? (await cache.read(key));
      if (found) hot.set(key, found, found.length);
      return found;
    },
    async save(about, gzipped) {
      hot.delete(about.key);
      await cache.save(about, gzipped);
      hot.delete(about.key);
    },
  };
}

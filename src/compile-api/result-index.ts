import { lru } from '../kit/lru.ts';

type Entry = { readonly key: string; readonly contentId: string };

/** Which results there are, up to a sum of bytes, by their key and by their content. */
export function resultIndex<E extends Entry>({ maxBytes }: { maxBytes: number }) {
  const byKey = lru<E>({ maxBytes });
  // Two configurations may give the same list.
  const keysOf = new Map<string, Set<string>>();

  const dropContent = ({ key, contentId }: E): void => {
    const keys = keysOf.get(contentId);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(contentId);
  };
  const forget = (key: string): void => {
    const entry = byKey.get(key);
    if (!entry) return;
    dropContent(entry);
    byKey.delete(key);
  };

  return {
    /** Finding is using: what was not used for longest goes first. */
    get: byKey.get,
    getByContent(contentId: string): E | undefined {
      const [key] = keysOf.get(contentId) ?? [];
      return key === undefined ? undefined : byKey.get(key);
    },
    /** Gives back what had to go. */
    put(entry: E, bytes: number): readonly E[] {
      forget(entry.key);
      keysOf.set(entry.contentId, (keysOf.get(entry.contentId) ?? new Set()).add(entry.key));
      const gone = byKey.set(entry.key, entry, bytes);
      gone.forEach(dropContent);
      return gone;
    },
    forget,
  };
}

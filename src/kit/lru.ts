export type Lru<V> = {
  /** Reading a value marks it as used. */
  readonly get: (key: string) => V | undefined;
  /**
   * Stores a value of this many bytes and returns the evicted values, least recently used first. A value larger than the
   * capacity is not stored but returned; the value it would have replaced is evicted as well.
   */
  readonly set: (key: string, value: V, bytes: number) => readonly V[];
  readonly delete: (key: string) => void;
  /** Total size of all values. */
  readonly bytes: () => number;
};

type Link = { before: Link; after: Link };
type Kept<V> = Link & { readonly key: string; readonly value: V; readonly bytes: number };

/** LRU cache limited by bytes. Every operation takes constant time. */
export function lru<V>({ maxBytes }: { maxBytes: number }): Lru<V> {
  // A Map alone would not do: finding its oldest key skips over all deleted entries.
  const byKey = new Map<string, Kept<V>>();
  const ends = ring();
  let sum = 0;

  const remove = (kept: Kept<V>): void => {
    byKey.delete(kept.key);
    unlink(kept);
    sum -= kept.bytes;
  };

  return {
    get(key) {
      const kept = byKey.get(key);
      if (!kept) return undefined;
      unlink(kept);
      linkBefore(ends, kept);
      return kept.value;
    },
    set(key, value, bytes) {
      const replaced = byKey.get(key);
      if (replaced) remove(replaced);
      if (bytes > maxBytes) return [value];
      const gone: V[] = [];
      while (sum + bytes > maxBytes) {
        const oldest = ends.after as Kept<V>;
        remove(oldest);
        gone.push(oldest.value);
      }
      const kept: Kept<V> = { key, value, bytes, before: ends, after: ends };
      linkBefore(ends, kept);
      byKey.set(key, kept);
      sum += bytes;
      return gone;
    },
    delete(key) {
      const kept = byKey.get(key);
      if (kept) remove(kept);
    },
    bytes: () => sum,
  };
}

/** List head linked to itself; the oldest entry follows it, the newest precedes it. */
function ring(): Link {
  const link = {} as Link;
  link.before = link;
  link.after = link;
  return link;
}

function linkBefore(place: Link, link: Link): void {
  link.before = place.before;
  link.after = place;
  place.before.after = link;
  place.before = link;
}

function unlink(link: Link): void {
  link.before.after = link.after;
  link.after.before = link.before;
}

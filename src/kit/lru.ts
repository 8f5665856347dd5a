export type Lru<V> = {
  /** Asking for a value is using it. */
  readonly get: (key: string) => V | undefined;
  /**
   * Keeps a value that takes this many bytes and gives back what had to go for it, oldest use first. A value larger than
   * everything there is room for is not kept and is given back itself; the one it was to replace goes too.
   */
  readonly set: (key: string, value: V, bytes: number) => readonly V[];
  readonly delete: (key: string) => void;
  /** What all values together take. */
  readonly bytes: () => number;
};

type Link = { before: Link; after: Link };
type Kept<V> = Link & { readonly key: string; readonly value: V; readonly bytes: number };

/** Values up to a sum of bytes; what was not used for longest goes first. Every call takes the same time. */
export function lru<V>({ maxBytes }: { maxBytes: number }): Lru<V> {
  // A Map alone would do, if finding its oldest key did not mean passing over all that were deleted before it.
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

/** A link whose neighbours on both sides are itself; the oldest value comes after it, the newest before. */
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

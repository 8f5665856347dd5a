import { byteKey } from './byte-key.ts';

// Two queries in flight have the same case by chance once in 4,096 times; a client that sends such a case would be refused.
const FEWEST_LETTERS = 12;

export type SentNames = ReturnType<typeof sentNames>;

/**
 * Names in flight with their randomised case: an incoming query with the same case is our own, returned through a
 * forwarding loop. Forwarders keep the case of names.
 */
export function sentNames() {
  const underWay = new Map<string, number>();
  return {
    /** Returns a function that removes the name. */
    add(name: Uint8Array): () => void {
      if (!isTelling(name)) return () => {};
      const key = byteKey(name);
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (underWay.get(key) ?? 0) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      };
    },
    has: (name: Uint8Array): boolean => underWay.size > 0 && isTelling(name) && underWay.has(byteKey(name)),
  };
}

/** Most clients send names in lower case only. */
function isTelling(name: Uint8Array): boolean {
  let letters = 0;
  let capitals = 0;
  for (const byte of name) {
    if (byte >= 0x41 && byte <= 0x5a) capitals++;
    if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters++;
  }
  return capitals > 0 && letters >= FEWEST_LETTERS;
}

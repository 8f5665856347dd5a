import { byteKey } from './byte-key.ts';

// Two that are under way at once are spelled alike by chance once in 4,096 times; a client who spells like that himself would be refused.
const FEWEST_LETTERS = 12;

export type SentNames = ReturnType<typeof sentNames>;

/**
 * Names as they went out, letters in a case that was drawn for them: one that comes in spelled like that is our own question,
 * come back by way of others. Forwarders pass names on as they were asked.
 */
export function sentNames() {
  const underWay = new Map<string, number>();
  return {
    /** Gives the means to say that it is over. */
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

/** Whole names in small letters are what most people ask for. */
function isTelling(name: Uint8Array): boolean {
  let letters = 0;
  let capitals = 0;
  for (const byte of name) {
    if (byte >= 0x41 && byte <= 0x5a) capitals++;
    if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters++;
  }
  return capitals > 0 && letters >= FEWEST_LETTERS;
}

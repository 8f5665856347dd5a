import { createNameKeys, type HashKey, readNameKeys } from './name-keys.ts';

// A name that never exists (RFC 6761).
const name = new TextEncoder().encode('\x05check\x07invalid\0');

/** Check value of a secret, which does not reveal it: the fingerprint of a fixed name. */
export function secretCheck(key: HashKey): { readonly high: number; readonly low: number } {
  const keys = createNameKeys();
  readNameKeys(key, name, 0, keys);
  return { high: keys.high[2]!, low: keys.low[2]! };
}

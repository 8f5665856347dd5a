import { timingSafeEqual } from 'node:crypto';

const MAX_LETTERS = 64;
const one = Buffer.alloc(2 * MAX_LETTERS);
const other = Buffer.alloc(2 * MAX_LETTERS);

/** Compares in constant time. An empty secret matches nothing. */
export function isSameSecret(candidate: string, secret: string): boolean {
  one.fill(0).write(candidate, 'utf16le');
  other.fill(0).write(secret, 'utf16le');
  const startAlike = timingSafeEqual(one, other);
  // Bytes beyond the buffers were not compared.
  return startAlike && candidate.length === secret.length && secret !== '' && secret.length <= MAX_LETTERS;
}

import { timingSafeEqual } from 'node:crypto';

const MAX_LETTERS = 64;
const one = Buffer.alloc(2 * MAX_LETTERS);
const other = Buffer.alloc(2 * MAX_LETTERS);

/** Takes as long for a right secret as for a wrong one. An empty secret is none: nothing is the same as it. */
export function isSameSecret(given: string, secret: string): boolean {
  one.fill(0).write(given, 'utf16le');
  other.fill(0).write(secret, 'utf16le');
  const startAlike = timingSafeEqual(one, other);
  // What did not fit into the buffers was not compared.
  return startAlike && given.length === secret.length && secret !== '' && secret.length <= MAX_LETTERS;
}

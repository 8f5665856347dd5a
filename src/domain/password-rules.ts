import { commonPasswords } from './common-passwords.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** The reason why a password is rejected; undefined if it is accepted. There are no rules about character classes. */
export function passwordError(password: string, email: string): string | undefined {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (password.trim() === '') return 'must not be only spaces';
  if (!password.isWellFormed()) return 'must be Unicode text';
  const folded = password.toLowerCase();
  if (commonPasswords.has(folded)) return 'is too common';
  if (new Set(folded).size < 2) return 'must not be a single repeated character';
  if (folded === email.toLowerCase()) return 'must not be your e-mail address';
  return undefined;
}

/** Normalised before hashing: other devices may send the same text in other code points. */
export const passwordForHashing = (password: string): string => password.normalize('NFC');

import { err, ok, type Result } from '../kit/result.ts';

/** It cannot be added, because there is one like it. */
export type Taken = { readonly kind: 'taken'; readonly what: 'id' | 'email' | 'hash' | 'address' };

export const takenUnless = (changes: number, what: Taken['what']): Result<void, Taken> =>
  changes > 0 ? ok(undefined) : err({ kind: 'taken', what });

export const bit = (truth: boolean): number => (truth ? 1 : 0);

/** For comparing names and addresses without regard to case. */
export const folded = (text: string): string => text.toLowerCase();

/** Text that stands for itself in a pattern, wherever in the other it is. */
export const containing = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`;

import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';

export const conflictUnless = (changes: number, what: Conflict['what']): Result<void, Conflict> =>
  changes > 0 ? ok(undefined) : err({ kind: 'conflict', what });

export const bit = (truth: boolean): number => (truth ? 1 : 0);

/** For case-insensitive comparison. */
export const folded = (text: string): string => text.toLowerCase();

/** LIKE pattern that matches the literal text anywhere. */
export const containing = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`;

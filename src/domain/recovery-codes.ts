import { toBase32 } from './base-encoding.ts';

const CODES = 10;
// 80 bits: only a fast hash is stored, so guessing must be infeasible.
const BYTES_OF_CODE = 10;
export const RANDOM_BYTES_OF_RECOVERY_CODES = CODES * BYTES_OF_CODE;

/** Recovery codes, for example `ABCD-EFGH-IJKL-MNOP`; each can be used once. */
export const recoveryCodes = (random: Uint8Array): string[] =>
  Array.from({ length: CODES }, (_, index) =>
    toBase32(random.subarray(index * BYTES_OF_CODE, (index + 1) * BYTES_OF_CODE))
      .match(/.{4}/g)!
      .join('-'),
  );

/** Normalised before hashing: only letters and digits, so that hyphens, spaces and case do not matter. */
export const recoveryCodeForHashing = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** The remaining hashes after the code was used; undefined if the code is invalid. */
export const useRecoveryCode = (hashes: readonly string[], used: string): readonly string[] | undefined =>
  hashes.includes(used) ? hashes.filter((hash) => hash !== used) : undefined;

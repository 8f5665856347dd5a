import { toBase32 } from './base-encoding.ts';

const CODES = 10;
// 80 bits: what is kept is a plain hash, and it must not be worth guessing.
const BYTES_OF_CODE = 10;
export const RANDOM_BYTES_OF_RECOVERY_CODES = CODES * BYTES_OF_CODE;

/** Codes for one who lost the second factor, as `ABCD-EFGH-IJKL-MNOP`; shown once, each good once. */
export const recoveryCodes = (random: Uint8Array): string[] =>
  Array.from({ length: CODES }, (_, index) =>
    toBase32(random.subarray(index * BYTES_OF_CODE, (index + 1) * BYTES_OF_CODE))
      .match(/.{4}/g)!
      .join('-'),
  );

/** What is hashed: letters and digits only, so that hyphens, spaces and case do not matter. */
export const recoveryCodeForHashing = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** The hashes that are left after one was used; undefined when there is no such code. */
export const useRecoveryCode = (hashes: readonly string[], used: string): readonly string[] | undefined =>
  hashes.includes(used) ? hashes.filter((hash) => hash !== used) : undefined;

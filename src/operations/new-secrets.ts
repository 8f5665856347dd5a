import { toBase64Url } from '../domain/base-encoding.ts';
import { makeSecret, RANDOM_BYTES_OF_SECRET, type SecretKind } from '../domain/secret-text.ts';
import type { Random, Sha256 } from './deps.ts';

/** Secrets are stored and looked up by hash, so that comparisons do not leak their content by timing. */
export const hashOf = ({ sha256 }: Sha256, secret: string): string => toBase64Url(sha256(secret));

/** A new secret, shown once, and its hash, which is stored. */
export function issue(deps: Random & Sha256, kind: SecretKind): { readonly secret: string; readonly hash: string } {
  const secret = makeSecret(kind, deps.random(RANDOM_BYTES_OF_SECRET));
  return { secret, hash: hashOf(deps, secret) };
}

/** An id for anything but devices and DNS servers, which have short ids. */
export const newId = ({ random }: Random): string => toBase64Url(random(16));

/** Compares with a secret that is stored in plain text. The timing depends only on the hashes, which a client cannot choose. */
export const isSecret = (deps: Sha256, candidate: string, secret: string): boolean =>
  hashOf(deps, candidate) === hashOf(deps, secret);

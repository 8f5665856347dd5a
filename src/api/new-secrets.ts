import { toBase64Url } from '../domain/base-encoding.ts';
import { makeSecret, RANDOM_BYTES_OF_SECRET, type SecretKind } from '../domain/secret-text.ts';
import type { Deps } from './deps.ts';

/** What is kept of a secret, and by what it is found again: nothing to compare, so nothing to time. */
export const hashOf = ({ sha256 }: Pick<Deps, 'sha256'>, secret: string): string => toBase64Url(sha256(secret));

/** A new secret to show once, and what to keep of it. */
export function issue(
  deps: Pick<Deps, 'random' | 'sha256'>,
  kind: SecretKind,
): { readonly secret: string; readonly hash: string } {
  const secret = makeSecret(kind, deps.random(RANDOM_BYTES_OF_SECRET));
  return { secret, hash: hashOf(deps, secret) };
}

/** An id for what is neither a device nor a DNS server. */
export const newId = ({ random }: Pick<Deps, 'random'>): string => toBase64Url(random(16));

/** For a secret that is kept as it is. The time that it takes tells only of the hashes, which nobody can steer. */
export const isSecret = (deps: Pick<Deps, 'sha256'>, given: string, secret: string): boolean =>
  hashOf(deps, given) === hashOf(deps, secret);

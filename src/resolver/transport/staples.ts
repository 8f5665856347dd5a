import type { KeyObject } from 'node:crypto';
import type { ClientHello } from './client-hello.ts';

/** A certificate with its chain and key, in PEM. */
export type TlsPair = {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** SHA-256 fingerprint of the certificate. */
  readonly fingerprint: string;
  /** TLS 1.3 signature schemes that the key supports. */
  readonly schemes: readonly number[];
};

/** An OCSP response, valid until `endsAt` (epoch milliseconds). */
export type Staple = { readonly fingerprint: string; readonly response: Uint8Array; readonly endsAt: number };

// RFC 8446, 4.2.3, in the order in which OpenSSL prefers them.
const schemesOfCurve: Readonly<Record<string, readonly number[]>> = {
  prime256v1: [0x0403],
  secp384r1: [0x0503],
  secp521r1: [0x0603],
};
const schemesOfType: Readonly<Record<string, readonly number[]>> = { ed25519: [0x0807], rsa: [0x0804, 0x0805, 0x0806] };

export const schemesOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly number[] =>
  schemesOfCurve[asymmetricKeyDetails?.namedCurve ?? ''] ?? schemesOfType[asymmetricKeyType ?? ''] ?? [];

/**
 * The pair that OpenSSL will choose for a client that requests a stapled response; undefined if that cannot be predicted: in TLS 1.2, the
 * choice also depends on ciphers and curves. A response for another certificate would make the handshake fail.
 */
export function pairFor(pairs: readonly TlsPair[], hello: ClientHello): TlsPair | undefined {
  if (pairs.length === 1) return pairs[0];
  if (!hello.offersTls13) return undefined;
  const usable = pairs.filter(({ schemes }) => schemes.some((scheme) => hello.signatureSchemes.includes(scheme)));
  // ECDSA before RSA: shorter, and cheaper for the server.
  return usable.toSorted((one, other) => Math.min(...one.schemes) - Math.min(...other.schemes))[0];
}

import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

// JSON Web Signatures as ACME uses them (RFC 8555, 6.2): flattened, ES256.

type Json = Readonly<Record<string, unknown>>;

export const base64url = (content: Uint8Array | string): string => Buffer.from(content).toString('base64url');

/** The public key, with its members in the order of RFC 7638. */
export function publicJwk(key: KeyObject): { crv: string; kty: string; x: string; y: string } {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

/** RFC 7638. */
export const thumbprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url');

/** An empty text as payload is a POST that reads (RFC 8555, 6.3). */
export function signedBody(key: KeyObject, head: Json, payload: Json | ''): string {
  const protectedPart = base64url(JSON.stringify({ alg: 'ES256', ...head }));
  const payloadPart = payload === '' ? '' : base64url(JSON.stringify(payload));
  const signature = sign('sha256', Buffer.from(`${protectedPart}.${payloadPart}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: protectedPart, payload: payloadPart, signature: base64url(signature) });
}

export type ExternalAccount = { readonly keyId: string; readonly key: Uint8Array };

/** Binds the key of the account to an account that the operator has with the authority (RFC 8555, 7.3.4). */
export function externalAccountBinding(account: KeyObject, { keyId, key }: ExternalAccount, url: string): Json {
  const protectedPart = base64url(JSON.stringify({ alg: 'HS256', kid: keyId, url }));
  const payload = base64url(JSON.stringify(publicJwk(account)));
  const signature = createHmac('sha256', key).update(`${protectedPart}.${payload}`).digest('base64url');
  return { protected: protectedPart, payload, signature };
}

import type { UserId } from './ids.ts';

/** A WebAuthn credential that signs its user in without a password. */
export type Passkey = {
  readonly id: string;
  readonly user: UserId;
  readonly name: string;
  /** Id from the authenticator, in base64url. */
  readonly credential: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** Signature counter; stays 0 for most authenticators. */
  readonly counter: number;
  /** Transports of the authenticator, for example `usb` or `internal`. */
  readonly transports: readonly string[];
  /** Host name for which the credential was created; the authenticator does not use it for others. */
  readonly rpId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
};

export const MAX_PASSKEYS = 20;

/** COSE numbers of Ed25519, ES256 and RS256; every authenticator supports one of them. */
export const passkeyAlgorithms: readonly number[] = [-8, -7, -257];

/** The relying party: the origin of the pages and its host name. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/**
 * The origin for passkeys: `public-url` if it is https, otherwise that of the requesting page. Undefined if browsers do not support
 * passkeys there: over plain HTTP (except on localhost), and for IP addresses.
 */
export function relyingParty(publicUrl: string, pageOrigin: string): RelyingParty | undefined {
  const url = URL.parse(publicUrl.startsWith('https:') ? publicUrl : pageOrigin);
  if (!url) return undefined;
  const { hostname, origin, protocol } = url;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  // The URL parser writes IPv4 addresses with four numbers and IPv6 addresses in brackets.
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin } : undefined;
}

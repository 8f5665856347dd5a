import { createHash, type KeyObject } from 'node:crypto';
import { thumbprint } from './jws.ts';

export type ChallengeKind = 'http-01' | 'tls-alpn-01' | 'dns-01';

/** A challenge response that the authority requests to validate a domain. */
export type Challenge = {
  readonly kind: ChallengeKind;
  /** Without `*.`. */
  readonly domain: string;
  readonly token: string;
  readonly keyAuthorization: string;
};

export const newChallenge = (
  { kind, domain, token }: Pick<Challenge, 'kind' | 'domain' | 'token'>,
  account: KeyObject,
): Challenge => ({ kind, domain, token, keyAuthorization: `${token}.${thumbprint(account)}` });

/** The text of the TXT record of a DNS-01 challenge (RFC 8555, 8.4). */
export const recordText = ({ keyAuthorization }: Pick<Challenge, 'keyAuthorization'>): string =>
  createHash('sha256').update(keyAuthorization).digest('base64url');

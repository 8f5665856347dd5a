import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';

// Separate from certificate-service.ts, which is loaded only if certificates are requested.

export const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** The folder of account key, certificate and progress. */
export const acmeFolder = ({ data }: Pick<Settings, 'data'>): string => join(data, 'acme');

export const challengeName = (domain: string): string => `_acme-challenge.${domain}`;

/** Zones in which the resolver answers dns-01 challenges. */
export function challengeZonesOf({ acmeDomains, acmeChallenge, acmeDnsZone }: Settings): readonly string[] {
  if (acmeChallenge !== 'dns-01' || acmeDomains.length === 0) return [];
  const names = acmeDomains.map((domain) => challengeName(domain.replace(/^\*\./, '')));
  return [...new Set([...names, ...(acmeDnsZone === undefined ? [] : [acmeDnsZone])])];
}

import { err, ok, type Result } from '../kit/result.ts';
import { parseDnsName } from './dns-name.ts';
import { DEFAULT_DNS64_PREFIX, dns64PrefixRequirements, formatDns64Prefix, parseDns64Prefix } from './dns64-prefix.ts';
import type { DomainError, FieldError } from './domain-error.ts';
import type { ProfileExtensions } from './profile-extensions.ts';

type LocalNameSettings = Pick<ProfileExtensions, 'dns64' | 'rebindingAllowed' | 'searchDomains'>;

export type LocalNameSettingsInput = {
  readonly dns64: { readonly prefix?: string | undefined } | undefined;
  readonly rebindingAllowed: readonly string[];
  readonly searchDomains: readonly string[];
};

/** Public domains whose names have private addresses by design: most contain the address in the name. */
export const rebindingPresets: readonly { readonly domain: string; readonly description: string }[] = [
  { domain: 'plex.direct', description: 'Plex Media Server in the local network' },
  { domain: 'direct.quickconnect.to', description: 'Synology QuickConnect in the local network' },
  { domain: 'nip.io', description: 'names that contain an IP address, for development' },
  { domain: 'sslip.io', description: 'names that contain an IP address, for development' },
  { domain: 'localtest.me', description: 'names of this computer, for development' },
  { domain: 'zen.spamhaus.org', description: 'mail blocklist, which answers 127.0.0.x' },
];

const MAX_REBINDING_DOMAINS = 200;
const MAX_SEARCH_DOMAINS = 6;

/** The settings in canonical form, or every error with its path. */
export function checkLocalNameSettings(input: LocalNameSettingsInput): Result<LocalNameSettings, DomainError> {
  const errors: FieldError[] = [];
  const rebindingAllowed = domains(input.rebindingAllowed, 'rebinding_allowed', MAX_REBINDING_DOMAINS, errors);
  const searchDomains = domains(input.searchDomains, 'search_domains', MAX_SEARCH_DOMAINS, errors);
  const prefix = input.dns64 && parseDns64Prefix(input.dns64.prefix ?? DEFAULT_DNS64_PREFIX);
  if (input.dns64 && !prefix)
    errors.push({ field: 'dns64.prefix', kind: 'wrong value', message: dns64PrefixRequirements });
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  return ok({ rebindingAllowed, searchDomains, dns64: prefix && { prefix: formatDns64Prefix(prefix) } });
}

function domains(texts: readonly string[], field: string, most: number, errors: FieldError[]): readonly string[] {
  const names = texts.map((text) => parseDnsName(text.trim().replace(/^\*\./, '')));
  for (const [index, name] of names.entries())
    if (name === undefined)
      errors.push({
        field: `${field}[${index}]`,
        kind: 'wrong value',
        message: 'must be a domain such as example.org',
      });
  if (texts.length > most) errors.push({ field, kind: 'limit reached', message: `must have at most ${most} entries` });
  return [...new Set(names.filter((name) => name !== undefined))];
}

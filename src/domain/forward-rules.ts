import { err, ok, type Result } from '../kit/result.ts';
import { parseDnsName } from './dns-name.ts';
import type { DomainError, FieldError } from './domain-error.ts';
import type { AccountId, ProfileId } from './ids.ts';
import { parseReverseZone } from './reverse-name.ts';
import type { UpstreamStrategy } from './upstream-strategy.ts';

/** Queries for a domain and all names below it go to these upstreams. */
export type ForwardRule = {
  readonly id: string;
  readonly account: AccountId;
  /** The DNS server that has the rule; undefined for all DNS servers of the account. */
  readonly profile: ProfileId | undefined;
  readonly domain: string;
  readonly upstreams: readonly string[];
  /** Undefined: the operator's. */
  readonly strategy: UpstreamStrategy | undefined;
};

export type ForwardRuleInput = {
  readonly profile: string | undefined;
  readonly domain: string;
  readonly upstreams: readonly string[];
  readonly strategy: UpstreamStrategy | undefined;
};

/** Checks addresses and ports; errors have the path `upstreams[…]`. */
type CheckUpstreams = (upstreams: readonly string[]) => Result<readonly string[], DomainError>;

/** A rule of the DNS server replaces the rule of the account for the same domain. */
export function forwardRulesOf(rules: readonly ForwardRule[], profile: string | undefined): readonly ForwardRule[] {
  const rulesOfProfile = rules.filter((rule) => rule.profile !== undefined && rule.profile === profile);
  const domains = new Set(rulesOfProfile.map(({ domain }) => domain));
  return [...rulesOfProfile, ...rules.filter((rule) => rule.profile === undefined && !domains.has(rule.domain))];
}

export const MAX_FORWARD_RULES = 200;

/** The rule in canonical form, or every error with its path. A network is stored as its reverse zone. */
export function checkForwardRule(
  others: readonly ForwardRule[],
  input: ForwardRuleInput,
  profiles: readonly ProfileId[],
  checkUpstreams: CheckUpstreams,
): Result<Omit<ForwardRule, 'id' | 'account'>, DomainError> {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, kind: 'wrong value', message });
  const profile = profiles.find((id) => id === input.profile);
  if (input.profile !== undefined && profile === undefined)
    wrong('dns_server_id', 'must be the id of a DNS server of this account');
  const domain = forwardedDomain(input.domain);
  if (domain === undefined)
    wrong(
      'domain',
      'must be a domain such as home.arpa, or a network such as 192.168.1.0/24 whose prefix is a multiple of 8 (IPv6: 4)',
    );
  else if (others.some((other) => other.profile === profile && other.domain === domain))
    wrong('domain', `a rule for ${domain} already exists`);
  const upstreams = checkUpstreams(input.upstreams);
  if (!upstreams.ok) errors.push(...(upstreams.error.kind === 'invalid' ? upstreams.error.errors : []));
  else if (upstreams.value.length === 0) wrong('upstreams', 'must have at least one entry');
  if (errors.length > 0 || domain === undefined || !upstreams.ok) return err({ kind: 'invalid', errors });
  return ok({ profile, domain, upstreams: upstreams.value, strategy: input.strategy });
}

const forwardedDomain = (text: string): string | undefined =>
  parseReverseZone(text) ??
  (/^\d+\.[\d.]*$|[/:]/.test(text.trim()) ? undefined : parseDnsName(text.trim().replace(/^\*\./, '')));

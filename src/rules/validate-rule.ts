import { isRegularExpression, modifierName, splitAdblockRule, splitModifiers } from './adblock-rule.ts';
import { type HostnameRules, parseHostname, whyNoHostname } from './hostname.ts';
import { hostsNames, isHostsLine } from './hosts-line.ts';
import { parseIpPattern, whyAmbiguousAddress } from './ip-pattern.ts';

export type Validation = Pick<HostnameRules, 'allowIp' | 'allowPublicSuffix'>;

// Modifiers a DNS filter can honour. The value says whether the modifier limits the rule so far
// that it may stand on a whole suffix.
const knownModifiers: ReadonlyMap<string, { limits: boolean }> = new Map([
  ['important', { limits: false }],
  ['~important', { limits: false }],
  ['dnstype', { limits: false }],
  ['dnsrewrite', { limits: false }],
  ['ctag', { limits: false }],
  ['denyallow', { limits: true }],
  ['badfilter', { limits: true }],
  ['client', { limits: true }],
]);

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const exactDomain = new RegExp(`^(?:\\|\\|)?(?:\\*\\.|\\.)?(${label}(?:\\.${label})*\\.?)\\^\\|?$`);
const MIN_PATTERN_LENGTH = 5;

/** Why a rule cannot work in a DNS filter, in words a list author understands; undefined when it can. */
export function whyInvalid(text: string, validation: Validation): string | undefined {
  if (isHostsLine(text)) return whyInvalidHosts(text, validation);
  return whyInvalidAdblock(text.trim(), validation);
}

function whyInvalidHosts(text: string, validation: Validation): string | undefined {
  const names = hostsNames(text);
  if (names.length === 0) return 'no host name stands behind the address';
  for (const name of names) {
    const why = whyNoHostname(name, { ...validation, limited: false });
    if (why) return why;
  }
  return undefined;
}

function whyInvalidAdblock(text: string, validation: Validation): string | undefined {
  const { pattern, modifiers } = splitAdblockRule(text);
  const names = splitModifiers(modifiers ?? '')
    .filter((part) => part !== '')
    .map(modifierName);
  const unknown = names.find((name) => !knownModifiers.has(name));
  if (unknown !== undefined) return `the modifier "${unknown}" means nothing to a DNS filter`;

  if (pattern.length < MIN_PATTERN_LENGTH && !exactDomain.test(pattern)) {
    return `"${pattern}" is too short to be a safe pattern`;
  }
  if (isRegularExpression(pattern)) return undefined;

  const bare = pattern.startsWith('://') ? pattern.replace(/^[:/]+/, '') : pattern;
  const foreign = /[^a-zA-Z0-9.*|^-]/u.exec(bare)?.[0];
  if (foreign !== undefined) return `"${foreign}" cannot stand in a host name`;

  const limited = names.some((name) => knownModifiers.get(name)?.limits);
  const ip = parseIpPattern(pattern);
  if (ip) {
    if (names.includes('denyallow')) return 'denyallow needs a host name, and this is an IP address';
    const why = whyAmbiguousAddress(ip, validation.allowIp);
    if (why) return why;
  }
  return whyInvalidPattern(bare, exactDomain.exec(pattern)?.[1], { ...validation, limited });
}

function whyInvalidPattern(pattern: string, domain: string | undefined, rules: HostnameRules): string | undefined {
  if (parseHostname(pattern.replace(/^\|{1,2}/, '').replace(/\^\|?$/, '')).isIp) {
    return rules.allowIp ? undefined : `"${pattern}" is an IP address`;
  }
  const separator = pattern.indexOf('^');
  if (separator !== -1 && pattern.indexOf('*') > separator) return 'a "*" behind "^" never matches a host name';
  if (domain !== undefined) return whyNoHostname(domain, rules);
  if (!pattern.startsWith('||') || separator === -1) return undefined;

  const name = pattern.slice(2, separator);
  if (name.includes('*')) return whyInvalidWildcard(name, rules);
  return whyNoHostname(name, rules) ?? whyBadEnd(pattern.slice(separator + 1));
}

function whyInvalidWildcard(name: string, rules: HostnameRules): string | undefined {
  if (!name.startsWith('*.')) return undefined;
  const suffix = name.slice(2);
  return parseHostname(suffix).publicSuffix === suffix ? whyNoHostname(suffix, rules) : undefined;
}

const whyBadEnd = (end: string): string | undefined =>
  end === '' || end.startsWith('|') ? undefined : `"${end}" behind "^" never matches a host name`;

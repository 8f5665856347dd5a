import { isRegexRule, modifierName, splitAdblockRule, splitModifiers } from './adblock-rule.ts';
import { type HostnameRules, parseHostname, whyNoHostname } from './hostname.ts';
import { hostsGap, hostsNameColumns, hostsNames, isHostsLine } from './hosts-line.ts';
import { parseIpPattern, whyAmbiguousAddress } from './ip-pattern.ts';
import { knownModifiers } from './modifiers.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

export type Validation = Pick<HostnameRules, 'allowIp' | 'allowPublicSuffix'>;

const isKnown = (modifier: string): boolean => knownModifiers.get(modifierName(modifier))?.inCompiler ?? false;

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const exactDomain = new RegExp(`^(?:\\|\\|)?(?:\\*\\.|\\.)?(${label}(?:\\.${label})*\\.?)\\^\\|?$`);
const MIN_PATTERN_LENGTH = 5;

/** The reason why a rule cannot work in a DNS filter, worded for list authors; undefined if it can. */
export const whyInvalid = (text: string, validation: Validation): string | undefined =>
  findRuleError(text, validation)?.reason;

/** The reason with the columns of the invalid part. */
export function findRuleError(text: string, validation: Validation): RuleError | undefined {
  if (isHostsLine(text)) return findHostsError(text, validation);
  const fault = findAdblockError(text.trim(), validation);
  return fault && shiftError(fault, text.length - text.trimStart().length);
}

function findHostsError(text: string, validation: Validation): RuleError | undefined {
  const names = hostsNames(text);
  if (names.length === 0) return { reason: 'the host name after the address is missing', ...hostsGap(text) };
  for (const [nth, name] of names.entries()) {
    const why = whyNoHostname(name, { ...validation, limited: false });
    if (why !== undefined) return { reason: why, ...hostsNameColumns(text, nth) };
  }
  return undefined;
}

function findAdblockError(text: string, validation: Validation): RuleError | undefined {
  const { allow, pattern, modifiers = '' } = splitAdblockRule(text);
  const parts = splitModifiers(modifiers);
  const unknown = parts.findIndex((part) => part !== '' && !isKnown(part));
  if (unknown !== -1) {
    const name = modifierName(parts[unknown]!);
    return modifierError(`the modifier "${name}" is not supported by a DNS filter`, text, parts, unknown);
  }

  const start = allow ? 2 : 0;
  if (pattern.length < MIN_PATTERN_LENGTH && !exactDomain.test(pattern)) {
    return errorAt(`"${pattern}" is too short to be a safe pattern`, start, pattern.length);
  }
  if (isRegexRule(pattern)) return undefined;

  const bare = pattern.startsWith('://') ? pattern.replace(/^[:/]+/, '') : pattern;
  const bareStart = start + pattern.length - bare.length;
  if (bare === '') return errorAt(`"${pattern}" has no host name`, start, pattern.length);
  const nonAscii = /[^a-zA-Z0-9.*|^-]/u.exec(bare);
  if (nonAscii) {
    return errorAt(`"${nonAscii[0]}" is not allowed in a host name`, bareStart + nonAscii.index, nonAscii[0].length);
  }

  const ip = parseIpPattern(pattern);
  if (ip) {
    const denyallow = parts.findIndex((part) => modifierName(part) === 'denyallow');
    if (denyallow !== -1) {
      return modifierError('denyallow cannot be used with an IP address', text, parts, denyallow);
    }
    const why = whyAmbiguousAddress(ip, validation.allowIp);
    if (why !== undefined) return errorAt(why, start + ip.prefix.length, ip.address.length + ip.tail.length);
  }
  const limited = parts.some((part) => knownModifiers.get(modifierName(part))?.limitsSuffix);
  return shiftError(findPatternError(bare, exactDomain.exec(pattern)?.[1], { ...validation, limited }), bareStart);
}

/** Modifiers are at the end of a rule, so that the column of one follows from the text after it. */
function modifierError(reason: string, text: string, parts: readonly string[], nth: number): RuleError {
  return errorAt(reason, text.length - parts.slice(nth).join(',').length, parts[nth]!.length);
}

function findPatternError(pattern: string, domain: string | undefined, rules: HostnameRules): RuleError | undefined {
  const unbarred = pattern.replace(/^\|{1,2}/, '');
  const address = unbarred.replace(/\^\|?$/, '');
  if (parseHostname(address).isIp) {
    if (rules.allowIp) return undefined;
    return errorAt(`"${pattern}" is an IP address`, pattern.length - unbarred.length, address.length);
  }
  const separator = pattern.indexOf('^');
  const star = pattern.indexOf('*');
  if (separator !== -1 && star > separator) return errorAt('a "*" after "^" never matches a host name', star, 1);
  if (domain !== undefined) return findNameError(domain, separator - domain.length, rules);
  if (!pattern.startsWith('||') || separator === -1) return undefined;

  const name = pattern.slice(2, separator);
  if (name.includes('*')) return shiftError(findWildcardError(name, rules), 2);
  return findNameError(name, 2, rules) ?? findEndError(pattern.slice(separator + 1), separator + 1);
}

function findWildcardError(name: string, rules: HostnameRules): RuleError | undefined {
  if (!name.startsWith('*.')) return undefined;
  const suffix = name.slice(2);
  return parseHostname(suffix).publicSuffix === suffix ? findNameError(suffix, 2, rules) : undefined;
}

function findNameError(name: string, start: number, rules: HostnameRules): RuleError | undefined {
  const why = whyNoHostname(name, rules);
  return why === undefined ? undefined : errorAt(why, start, name.length);
}

const findEndError = (end: string, start: number): RuleError | undefined =>
  end === '' || end.startsWith('|')
    ? undefined
    : errorAt(`"${end}" after "^" never matches a host name`, start, end.length);

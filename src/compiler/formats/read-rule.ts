import { isCosmetic, isRegexRule, modifierName, splitAdblockRule, splitModifiers } from '../../rules/adblock-rule.ts';
import { hostsNames, isHostsLine } from '../../rules/hosts-line.ts';
import { isAllowRule } from '../lines/line-kind.ts';
import { endOfAddress, endOfName, endOfRuleName, isPlainDomain, nextName } from '../lines/parse-host.ts';
import { decode, isAscii } from '../lines/text.ts';
import { addDenyAllowDomain, denyAllowNames, isUnder, whyNoDenyAllow } from './deny-allow.ts';
import {
  ALLOW,
  addEffect,
  BELOW,
  BLOCK,
  BOTH,
  DENY_ALLOW_BLOCK,
  DENY_ALLOW_EXEMPT,
  IMPORTANT,
  type RuleEffects,
  SELF,
  type Span,
} from './rule-effects.ts';

/** Adds the effects of a trimmed rule on names; returns the reason for any part that cannot be expressed. */
export function readRule(effects: RuleEffects, line: number, span: Span): string | undefined {
  const { bytes, start, end } = span;
  const priority = isAllowRule(bytes, start, end) ? ALLOW : BLOCK;
  const from = priority === ALLOW ? start + 2 : start;
  const to = endOfRuleName(bytes, from, end);
  if (to !== -1) return addEffect(effects, line, { bytes, start: from + 2, end: to }, priority, BOTH);
  const address = endOfAddress(bytes, start, end);
  if (address !== -1 && isAscii(bytes, address, end)) {
    return readHostsNames(effects, line, hostsNamesAfter(address, span));
  }
  // In a domain list a name includes its subdomains, as nearly every reader of such lists assumes.
  if (isPlainDomain(bytes, start, end)) return addEffect(effects, line, span, BLOCK, BOTH);
  return readText(effects, line, decode(bytes, start, end));
}

function readText(effects: RuleEffects, line: number, text: string): string | undefined {
  if (isHostsLine(text)) return readHostsNames(effects, line, hostsNames(text).map(spanOf));
  if (isCosmetic(text)) return 'it applies to the content of pages, not to DNS';
  const { allow, pattern, modifiers = '' } = splitAdblockRule(text);
  const named = splitModifiers(modifiers).filter((modifier) => modifier !== '');
  const exempt = allow ? undefined : denyAllowNames(named);
  if (exempt) return readDenyAllow(effects, line, pattern, exempt);
  const unsayable = named.find((modifier) => modifier !== 'important');
  if (unsayable !== undefined) return `the modifier ${modifierName(unsayable)} is not supported`;
  if (isRegexRule(pattern)) return 'a regular expression is not supported';
  const found = findName(pattern);
  if (typeof found === 'string') return found;
  const priority = (allow ? ALLOW : BLOCK) + (named.length > 0 ? IMPORTANT : 0);
  return addEffect(effects, line, spanOf(found.name), priority, found.reach);
}

/** Blocks a domain except some of the names under it. */
function readDenyAllow(
  effects: RuleEffects,
  line: number,
  pattern: string,
  exempt: readonly string[],
): string | undefined {
  const found = isRegexRule(pattern) ? 'a regular expression is not supported' : findName(pattern);
  const why = typeof found === 'string' ? found : whyNoDenyAllow(exempt);
  if (why !== undefined || typeof found === 'string') return why;
  const domain = found.name.toLowerCase();
  if (!addDenyAllowDomain(effects.denyAllowDomains, domain))
    return 'another rule with the modifier denyallow concerns the same names';
  const wrong = addEffect(effects, line, spanOf(domain), DENY_ALLOW_BLOCK, found.reach);
  if (wrong !== undefined) return wrong;
  // Exempted names outside the domain are not blocked by this rule anyway.
  return exempt
    .filter((name) => isUnder(name, domain))
    .map((name) => addEffect(effects, line, spanOf(name), DENY_ALLOW_EXEMPT, BOTH))
    .find((reason) => reason !== undefined);
}

// Patterns that match exactly a name, its subdomains, or both. At the end of a host name `^` and `|` are equivalent.
const shapes: readonly (readonly [RegExp, number])[] = [
  [/^\|\|([^*|^/]+)(?:\^\|?|\|)$/, BOTH],
  [/^\|([^*|^/]+)(?:\^\|?|\|)$/, SELF],
  [/^(?:\|{0,2}\*)?\.([^*|^/]+)(?:\^\|?|\|)$/, BELOW],
];

function findName(pattern: string): { name: string; reach: number } | string {
  for (const [shape, reach] of shapes) {
    const name = shape.exec(pattern)?.[1];
    if (name !== undefined) return { name, reach };
  }
  if (pattern.includes('*')) return 'a pattern with "*" matches names that cannot be listed';
  if (pattern.includes('.') && !/[|^/]/.test(pattern)) return { name: pattern, reach: BOTH };
  return 'it matches parts of names, and the format has only whole names';
}

/** Names are blocked individually; one invalid name does not invalidate the line. */
function readHostsNames(effects: RuleEffects, line: number, names: readonly Span[]): string | undefined {
  if (names.length === 0) return 'the host name after the address is missing';
  let why: string | undefined;
  for (const name of names) {
    const wrong = readHostsName(effects, line, name);
    why ??= wrong;
  }
  return why;
}

const DOT = 0x2e;

function readHostsName(effects: RuleEffects, line: number, name: Span): string | undefined {
  if (hasDot(name)) return addEffect(effects, line, name, BLOCK, SELF);
  return `"${decode(name.bytes, name.start, name.end)}" is a name without dots, which in hosts files names the machine itself`;
}

function hasDot({ bytes, start, end }: Span): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === DOT) return true;
  return false;
}

function hostsNamesAfter(address: number, { bytes, end }: Span): Span[] {
  const names: Span[] = [];
  for (let start = nextName(bytes, address, end); start < end; ) {
    const to = endOfName(bytes, start, end);
    names.push({ bytes, start, end: to });
    start = nextName(bytes, to, end);
  }
  return names;
}

const encoder = new TextEncoder();

function spanOf(name: string): Span {
  const bytes = encoder.encode(name);
  return { bytes, start: 0, end: bytes.length };
}

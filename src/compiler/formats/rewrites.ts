import { typeName } from '../../kit/dns-numbers.ts';
import { formatIp } from '../../kit/ip-address.ts';
import { parseRule } from '../../rules/parse-rule.ts';
import type { Pattern, Rewrite, Rule } from '../../rules/rule.ts';
import { type Lines, lineText } from '../lines/lines.ts';
import { isUnder } from './deny-allow.ts';
import type { Format } from './format.ts';
import { mentions } from './mentions.ts';
import {
  addEffect,
  BELOW,
  BOTH,
  REWRITE,
  REWRITE_TO_NXDOMAIN,
  type RewriteAnswer,
  type RuleEffects,
  SELF,
} from './rule-effects.ts';

const MODIFIER = 'dnsrewrite';
const NXDOMAIN = 3;
const REFUSED = 5;
/** Names that need no escaping in any format. */
const NAME = /^[\w-]+(?:\.[\w-]+)*$/;

/** Meaning of a rule with `$dnsrewrite`; `disabled` by an exception. */
type FoundRewrite =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'unsupported'; readonly why: string }
  | {
      readonly kind: 'rewrite';
      readonly name: string;
      readonly reach: number;
      readonly answer: RewriteAnswer | { readonly kind: 'nxdomain' };
    };

const DISABLED: FoundRewrite = { kind: 'disabled' };
const unsupported = (why: string): FoundRewrite => ({ kind: 'unsupported', why });

/** Rules with `$dnsrewrite` by line. */
export function findRewrites(
  lines: Lines,
  isCancelled: (line: number) => boolean,
  whyNoRewrite: Format['whyNoRewrite'],
): ReadonlyMap<number, FoundRewrite> {
  if (!mentions(lines, MODIFIER)) return new Map();
  const rules = Array.from({ length: lines.count }, (_, at) => at).flatMap((at) => {
    const rule = isCancelled(at) ? undefined : rewriteRule(lineText(lines, at));
    return rule ? [{ at, rule }] : [];
  });
  const exceptions = rules.map(({ rule }) => rule).filter(({ allow }) => allow);
  const claim = createClaims();
  return new Map(
    rules.map(({ at, rule }) => {
      const found = rule.allow ? readException(rule) : readRewriting(rule, exceptions);
      if (found.kind !== 'rewrite') return [at, found];
      const { name, reach, answer } = found;
      const why = answer.kind === 'nxdomain' ? undefined : whyNoRewrite(answer, reach);
      if (why !== undefined) return [at, unsupported(why)];
      const isFree = claim(name, reach, answer.kind === 'addresses');
      return [at, isFree ? found : unsupported('another rule with the modifier dnsrewrite concerns the same names')];
    }),
  );
}

function rewriteRule(text: string): Rule | undefined {
  if (!text.includes(MODIFIER)) return undefined;
  const parsed = parseRule(text);
  return parsed.kind === 'rule' && parsed.rule.rewrite ? parsed.rule : undefined;
}

const reaches: Readonly<Record<Pattern['kind'], number>> = {
  domain: BOTH,
  exact: SELF,
  subdomains: BELOW,
  wildcard: 0,
  expression: 0,
};

const hasLimits = ({ types, clients, tags, denyallow, locations }: Rule): boolean =>
  [types, clients, tags, denyallow, locations].some((limit) => limit !== undefined);

/** An exception for a whole domain disables rewrites; others would need answers from upstream for some names. */
const disablesDomain = (rule: Rule): boolean =>
  rule.pattern.kind === 'domain' && rule.rewrite?.kind === 'any' && !hasLimits(rule);

const readException = (rule: Rule): FoundRewrite =>
  disablesDomain(rule) ? DISABLED : unsupported('an exception with the modifier dnsrewrite is not supported');

function readRewriting(rule: Rule, exceptions: readonly Rule[]): FoundRewrite {
  const { pattern, rewrite } = rule;
  if (!('name' in pattern) || !NAME.test(pattern.name))
    return unsupported('a rewrite of names that cannot be listed is not supported');
  if (hasLimits(rule)) return unsupported('a rewrite with other modifiers is not supported');
  const { name } = pattern;
  if (exceptions.some((other) => disablesDomain(other) && 'name' in other.pattern && isUnder(name, other.pattern.name)))
    return DISABLED;
  if (exceptions.some(({ pattern: other }) => concerns(other, name)))
    return unsupported('an exception with the modifier dnsrewrite concerns some of the names');
  const answer = answerOf(rewrite!);
  return answer
    ? { kind: 'rewrite', name, reach: reaches[pattern.kind], answer }
    : unsupported('a rewrite to other values than an address, a name, NXDOMAIN or REFUSED is not supported');
}

const concerns = (pattern: Pattern, name: string): boolean =>
  !('name' in pattern) || isUnder(name, pattern.name) || isUnder(pattern.name, name);

function answerOf(rewrite: Rewrite): RewriteAnswer | { readonly kind: 'nxdomain' } | undefined {
  if (rewrite.kind === 'cname' && NAME.test(rewrite.target)) return { kind: 'cname', target: rewrite.target };
  if (rewrite.kind === 'code' && rewrite.code === NXDOMAIN) return { kind: 'nxdomain' };
  if (rewrite.kind === 'code' && rewrite.code === REFUSED) return { kind: 'refused' };
  if (rewrite.kind !== 'record' || rewrite.value.kind !== 'address') return undefined;
  const family = typeName(rewrite.type) === 'A' ? 'V4' : 'V6';
  return { kind: 'addresses', addresses: [formatIp({ family, bytes: [...rewrite.value.bytes] })] };
}

/** Whether no earlier rule rewrites the same names. Several addresses of one name are one answer. */
function createClaims(): (name: string, reach: number, hasAddress: boolean) => boolean {
  const claims = new Map<string, { readonly reach: number; readonly hasAddress: boolean }>();
  const parents = new Set<string>();
  return (name, reach, hasAddress) => {
    const claim = claims.get(name);
    if (claim) return claim.reach === reach && claim.hasAddress && hasAddress;
    const labels = name.split('.');
    const above = labels.slice(1).map((_, at) => labels.slice(at + 1).join('.'));
    if (above.some((parent) => (claims.get(parent)?.reach ?? 0) & BELOW)) return false;
    if (reach & BELOW && parents.has(name)) return false;
    claims.set(name, { reach, hasAddress });
    for (const parent of above) parents.add(parent);
    return true;
  };
}

const encoder = new TextEncoder();

/** Adds the effect of a rewrite; returns why it cannot. */
export function addRewrite(effects: RuleEffects, line: number, found: FoundRewrite): string | undefined {
  if (found.kind === 'disabled') return undefined;
  if (found.kind === 'unsupported') return found.why;
  const { answer, reach } = found;
  const bytes = encoder.encode(found.name);
  const priority = answer.kind === 'nxdomain' ? REWRITE_TO_NXDOMAIN : REWRITE;
  const why = addEffect(effects, line, { bytes, start: 0, end: bytes.length }, priority, reach);
  if (why !== undefined || answer.kind === 'nxdomain') return why;
  const name = effects.name[effects.count - 1]!;
  effects.rewrites.set(name, merged(effects.rewrites.get(name), answer));
  return undefined;
}

function merged(existing: RewriteAnswer | undefined, answer: RewriteAnswer): RewriteAnswer {
  if (existing?.kind !== 'addresses' || answer.kind !== 'addresses') return answer;
  return { kind: 'addresses', addresses: [...new Set([...existing.addresses, ...answer.addresses])] };
}

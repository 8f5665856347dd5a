import { appendName } from './append-name.ts';
import { createDenyAllowDomains, type DenyAllowDomains } from './deny-allow.ts';
import { addName, copyInto, createNames, type Names } from './name-conditions.ts';

/** Rule priority; higher wins. Odd values block, even ones allow, 0 means no rule. */
export const BLOCK = 3;
export const ALLOW = 4;
/** Priority of rules with `$denyallow`. It is lower than that of other block rules, which also block the exempted names. */
export const DENY_ALLOW_BLOCK = 1;
export const DENY_ALLOW_EXEMPT = 2;
/** Added by the `important` modifier. */
export const IMPORTANT = 2;
/** `$dnsrewrite` takes precedence over rules that block or allow. NXDOMAIN is written as a block. */
export const REWRITE_TO_NXDOMAIN = 7;
export const REWRITE = 8;

/** Index of the verdict of a priority: none, block, allow, rewrite. */
export const verdictIndex = (priority: number): number => {
  if (priority === REWRITE) return 3;
  return priority === 0 ? 0 : 2 - (priority % 2);
};

export const isSameVerdict = (priority: number, other: number): boolean =>
  priority !== 0 && verdictIndex(priority) === verdictIndex(other);

/** Answer of a rewrite that formats other than adblock may have. */
export type RewriteAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'refused' };

export type Verdict = 'none' | 'block' | 'allow' | RewriteAnswer;

/** Scope of a rule: the name, its subdomains, or both. */
export const SELF = 1;
export const BELOW = 2;
export const BOTH = SELF | BELOW;

/** Effects of the lines of a list on names, in line order. */
export type RuleEffects = {
  readonly names: Names;
  readonly denyAllowDomains: DenyAllowDomains;
  /** Answers by the index of the name. */
  readonly rewrites: Map<number, RewriteAnswer>;
  count: number;
  line: Int32Array;
  name: Int32Array;
  priority: Uint8Array;
  reach: Uint8Array;
};

export function createRuleEffects(expected: number): RuleEffects {
  const capacity = Math.max(expected, 16);
  return {
    names: createNames(capacity),
    denyAllowDomains: createDenyAllowDomains(),
    rewrites: new Map(),
    count: 0,
    line: new Int32Array(capacity),
    name: new Int32Array(capacity),
    priority: new Uint8Array(capacity),
    reach: new Uint8Array(capacity),
  };
}

/** A name within the bytes of a line. */
export type Span = { readonly bytes: Uint8Array; readonly start: number; readonly end: number };

/** Adds the effect of a line on a name. For an invalid host name adds nothing and returns the reason. */
export function addEffect(
  effects: RuleEffects,
  line: number,
  { bytes, start, end }: Span,
  priority: number,
  reach: number,
): string | undefined {
  const { names } = effects;
  const from = names.text.length;
  const why = appendName(names.text, bytes, start, end);
  if (why !== undefined) return why;
  const name = addName(names, from, names.text.length);
  const isKnown = names.start[name] !== from;
  if (isKnown) names.text.length = from;
  if (reach & SELF && names.self[name]! < priority) names.self[name] = priority;
  if (reach & BELOW && names.below[name]! < priority) names.below[name] = priority;
  push(effects, line, name, priority, reach);
  return undefined;
}

function push(effects: RuleEffects, line: number, name: number, priority: number, reach: number): void {
  if (effects.count === effects.line.length) grow(effects);
  const at = effects.count++;
  effects.line[at] = line;
  effects.name[at] = name;
  effects.priority[at] = priority;
  effects.reach[at] = reach;
}

function grow(effects: RuleEffects): void {
  const capacity = effects.count * 2;
  effects.line = copyInto(new Int32Array(capacity), effects.line);
  effects.name = copyInto(new Int32Array(capacity), effects.name);
  effects.priority = copyInto(new Uint8Array(capacity), effects.priority);
  effects.reach = copyInto(new Uint8Array(capacity), effects.reach);
}

import { domainRulePriority } from '../match/precedence.ts';
import { KIND, TAG } from '../table-layout.ts';

const WEAKEST = -(2 ** 30);

/** Patterns that are a name. */
export type NamedPattern = 'domain' | 'exact' | 'subdomains';

/** What a bare rule, which is a name without modifiers, does with names. */
export type DomainRuleKind = {
  readonly allow: boolean;
  readonly pattern: NamedPattern;
  /** It matches its own name. */
  readonly forItself: boolean;
  /** It matches the names under it. */
  readonly forOthers: boolean;
  /** Of a rule of this kind that had no labels. */
  readonly priority: number;
};

/** Whether a pattern at a name that is the whole of the asked one, or is above it, matches. */
export const standsFor = (pattern: string, isWhole: boolean): boolean =>
  pattern === 'domain' || (pattern === 'exact') === isWhole;

const kindOf = (allow: boolean, pattern: NamedPattern): DomainRuleKind => ({
  allow,
  pattern,
  forItself: standsFor(pattern, true),
  forOthers: standsFor(pattern, false),
  priority: domainRulePriority(allow, pattern),
});

/** By the number that stands in a slot. */
export const domainRuleKinds: readonly (DomainRuleKind | undefined)[] = [
  undefined,
  kindOf(false, 'domain'),
  kindOf(false, 'exact'),
  kindOf(false, 'subdomains'),
  kindOf(true, 'domain'),
  kindOf(true, 'exact'),
  kindOf(true, 'subdomains'),
  undefined,
];

export const domainRuleKind = (allow: boolean, pattern: NamedPattern): number =>
  domainRuleKinds.findIndex((kind) => kind?.allow === allow && kind.pattern === pattern);

/**
 * How strong the bare rule of a tag is, its labels not yet counted: first where its name is the whole of the asked one,
 * then where it is above it. Where it does not stand it is weaker than any.
 */
export const domainRulePriorities = Int32Array.from({ length: 2 * (TAG + 1) }, (_, nth) => {
  const kind = domainRuleKinds[nth & KIND];
  const stands = nth <= TAG ? kind?.forItself : kind?.forOthers;
  return kind && stands ? kind.priority : WEAKEST;
});

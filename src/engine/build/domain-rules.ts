import { domainRulePriority } from '../match/precedence.ts';
import { KIND, TAG } from '../table-layout.ts';

const WEAKEST = -(2 ** 30);

/** Patterns that consist of a name. */
export type NamedPattern = 'domain' | 'exact' | 'subdomains';

/** Scope and effect of a domain rule: a name without modifiers. */
export type DomainRuleKind = {
  readonly allow: boolean;
  readonly pattern: NamedPattern;
  /** Matches the name itself. */
  readonly forItself: boolean;
  /** Matches subdomains. */
  readonly forOthers: boolean;
  /** Priority before the number of labels is added. */
  readonly priority: number;
};

/** Whether a pattern at this name matches: `isWhole` if it is the queried name, otherwise it is a parent. */
export const standsFor = (pattern: string, isWhole: boolean): boolean =>
  pattern === 'domain' || (pattern === 'exact') === isWhole;

const kindOf = (allow: boolean, pattern: NamedPattern): DomainRuleKind => ({
  allow,
  pattern,
  forItself: standsFor(pattern, true),
  forOthers: standsFor(pattern, false),
  priority: domainRulePriority(allow, pattern),
});

/** Indexed by the kind stored in a slot. */
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
 * Priority of the domain rule of a tag, before its labels are added: first for the name itself, then for subdomains.
 * Lower than any rule where it does not apply.
 */
export const domainRulePriorities = Int32Array.from({ length: 2 * (TAG + 1) }, (_, nth) => {
  const kind = domainRuleKinds[nth & KIND];
  const stands = nth <= TAG ? kind?.forItself : kind?.forOthers;
  return kind && stands ? kind.priority : WEAKEST;
});

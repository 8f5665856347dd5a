import { modifierName } from '../../rules/adblock-rule.ts';

const MODIFIER = 'denyallow';

/** The names that a rule does not block, if `$denyallow` is its only modifier; otherwise undefined. */
export function denyAllowNames(modifiers: readonly string[]): readonly string[] | undefined {
  const [only = '', ...others] = modifiers;
  if (others.length > 0 || modifierName(only) !== MODIFIER) return undefined;
  return only
    .slice(MODIFIER.length + 1)
    .toLowerCase()
    .split('|');
}

const NAME = /^[\w-]+(?:\.[\w-]+)*$/;

export const whyNoDenyAllow = (names: readonly string[]): string | undefined =>
  names.every((name) => NAME.test(name)) ? undefined : 'a value of the modifier denyallow is not a host name';

export const isUnder = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Domains of the rules with `$denyallow`. A name that one of them exempts may be blocked by another. */
export type DenyAllowDomains = { readonly listed: Set<string>; readonly parents: Set<string> };

export const createDenyAllowDomains = (): DenyAllowDomains => ({ listed: new Set(), parents: new Set() });

/** Adds a domain; false if it is within or above one of the others. */
export function addDenyAllowDomain({ listed, parents }: DenyAllowDomains, domain: string): boolean {
  const labels = domain.split('.');
  const above = labels.slice(1).map((_, at) => labels.slice(at + 1).join('.'));
  if (listed.has(domain) || parents.has(domain) || above.some((parent) => listed.has(parent))) return false;
  listed.add(domain);
  for (const parent of above) parents.add(parent);
  return true;
}

export type RuleAction = 'block' | 'allow';

export const opposite: Readonly<Record<RuleAction, RuleAction>> = { block: 'allow', allow: 'block' };

/** Plain domain names only: other characters would have a meaning in rule syntax. */
export const canBeRule = (name: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name);

/** `$client` reads a name that looks like an address as an address. */
export const canBeClient = (name: string): boolean => !/^[\d.]+(\/\d+)?$|:/.test(name);

const prefixes: Readonly<Record<RuleAction, string>> = { block: '||', allow: '@@||' };

type Limits = {
  /** Name of the device to which the rule applies. */
  readonly client?: string | undefined;
  readonly isImportant?: boolean;
};

/** Rule for a domain and its subdomains. */
export function ruleText(action: RuleAction, domain: string, { client, isImportant = false }: Limits = {}): string {
  const modifiers = [
    ...(isImportant ? ['important'] : []),
    ...(client === undefined ? [] : [`client='${client.replace(/[,|$'"\\]/g, '\\$&')}'`]),
  ];
  return `${prefixes[action]}${domain}^${modifiers.length === 0 ? '' : `$${modifiers.join(',')}`}`;
}

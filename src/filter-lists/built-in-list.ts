import { knownDomains } from '../domain/catalogue/company.ts';

/** The source of the built-in list in the state of a list. */
export const BUILT_IN_SOURCE = 'built-in';

// The list that new DNS servers use. Until it is downloaded for the first time, the built-in list takes its place.
const REPLACED_LIST = 'adguard_dns_filter';

/** Rules for a list that was never downloaded: the advertising domains of the company table. */
export function builtInRules(id: string): string | undefined {
  if (id !== REPLACED_LIST) return undefined;
  const ads = [...knownDomains()].filter(([, { category }]) => category === 'ADS');
  return ads.map(([domain]) => `||${domain}^`).join('\n');
}

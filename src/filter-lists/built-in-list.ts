import { knownDomains } from '../domain/catalogue/company.ts';

/** Value of `source` for the built-in list. */
export const BUILT_IN_SOURCE = 'built-in';

// The default list of new DNS servers. The built-in list replaces it until it is downloaded for the first time.
const REPLACED_LIST = 'adguard_dns_filter';

/** Rules for a list that was never downloaded: the advertising domains of the company table. */
export function builtInRules(id: string): string | undefined {
  if (id !== REPLACED_LIST) return undefined;
  const ads = [...knownDomains()].filter(([, { category }]) => category === 'ADS');
  return ads.map(([domain]) => `||${domain}^`).join('\n');
}

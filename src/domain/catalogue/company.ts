import { companyRows } from './companies.ts';

export const companyCategories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const;
export type CompanyCategory = (typeof companyCategories)[number];

/** The company of a domain and the category of the domain: a company can have domains of several categories. */
export type Company = { readonly id: string; readonly name: string; readonly category: CompanyCategory };

/**
 * Sent for unknown companies, because the wire requires an id. All unknown companies share one id: clients look ids up
 * in their own data, the query log is filtered by this id, and an id per domain would turn companies into a second list
 * of domains.
 */
export const unknownCompany: Company = { id: 'unknown', name: 'Unknown', category: 'OTHERS' };

export type CompanyDomains = ReadonlyMap<string, Company>;

export type Companies = {
  /** Takes a name in lower case without a trailing dot. Returns the same object for the same company. */
  readonly companyOf: (name: string) => Company | undefined;
  /** The id itself if the company is unknown: stored statistics may outlive the data set. */
  readonly nameOf: (id: string) => string;
  /** All companies with their names, by name. */
  readonly list: readonly { readonly id: string; readonly name: string }[];
  readonly domainCount: number;
};

/** The built-in domains. */
export function knownDomains(): CompanyDomains {
  const domains = new Map<string, Company>();
  for (const [id, [name, byCategory]] of Object.entries(companyRows)) {
    for (const category of companyCategories) {
      const company = { id, name, category };
      for (const domain of byCategory[category]?.split(' ') ?? []) domains.set(domain, company);
    }
  }
  return domains;
}

/** Looks up companies by the longest listed suffix of a name. */
export function companiesOf(domains: CompanyDomains): Companies {
  const names = new Map<string, string>([[unknownCompany.id, unknownCompany.name]]);
  // Label count of the longest listed domain, by the last two labels.
  const longest = new Map<string, number>();
  for (const [domain, { id, name }] of domains) {
    names.set(id, name);
    const ending = domain.slice(lastLabels(domain, 2));
    longest.set(ending, Math.max(longest.get(ending) ?? 0, domain.split('.').length));
  }
  return {
    companyOf: (name) => {
      // Called for every query: most names are unknown, and this lookup excludes them.
      const labels = longest.get(name.slice(lastLabels(name, 2)));
      return labels === undefined ? undefined : longestListed(domains, name, labels);
    },
    nameOf: (id) => names.get(id) ?? id,
    list: Array.from(names, ([id, name]) => ({ id, name })).sort((one, other) => (one.name < other.name ? -1 : 1)),
    domainCount: domains.size,
  };
}

/** Suffixes with more labels than `labels` are skipped. */
function longestListed(domains: CompanyDomains, name: string, labels: number): Company | undefined {
  for (let start = lastLabels(name, labels); start < name.length; ) {
    const found = domains.get(name.slice(start));
    if (found) return found;
    const dot = name.indexOf('.', start);
    if (dot < 0) return undefined;
    start = dot + 1;
  }
  return undefined;
}

/** Offset of the last `count` labels of a name. */
function lastLabels(name: string, count: number): number {
  let start = name.length + 1;
  for (let labels = 0; labels < count && start > 1; labels++) start = name.lastIndexOf('.', start - 2) + 1;
  return start > name.length ? 0 : start;
}

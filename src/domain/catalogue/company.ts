import { companyRows } from './companies.ts';

export const companyCategories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const;
export type CompanyCategory = (typeof companyCategories)[number];

/** Who stands behind a domain, and what the domain is for: one company has domains of several categories. */
export type Company = { readonly id: string; readonly name: string; readonly category: CompanyCategory };

/**
 * What the wire shows where nobody is known, for it demands an id. One word for all of them, because clients look an id up
 * in data of their own and take any other text for a company they lack; because the query log is filtered by this id; and
 * because inventing a company per domain (its last two labels) would make the companies a second list of domains, with
 * "co.uk" among them.
 */
export const unknownCompany: Company = { id: 'unknown', name: 'Unknown', category: 'OTHERS' };

export type CompanyDomains = ReadonlyMap<string, Company>;

export type Companies = {
  /** Of a name as resolvers write it: lower case, no dot at the end. Gives back the same object every time. */
  readonly companyOf: (name: string) => Company | undefined;
  /** The id itself where nobody has it any more: stored statistics may outlive the data they were made with. */
  readonly nameOf: (id: string) => string;
  readonly domainCount: number;
};

/** The domains that Weir knows by itself. */
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

/** Looks companies up by the longest listed ending of a name. */
export function companiesOf(domains: CompanyDomains): Companies {
  const names = new Map<string, string>([[unknownCompany.id, unknownCompany.name]]);
  // By its last two labels, how many labels the longest domain with that ending has.
  const longest = new Map<string, number>();
  for (const [domain, { id, name }] of domains) {
    names.set(id, name);
    const ending = domain.slice(lastLabels(domain, 2));
    longest.set(ending, Math.max(longest.get(ending) ?? 0, domain.split('.').length));
  }
  return {
    companyOf: (name) => {
      // Every query passes here and most names are nobody's: those are done after one look.
      const labels = longest.get(name.slice(lastLabels(name, 2)));
      return labels === undefined ? undefined : longestListed(domains, name, labels);
    },
    nameOf: (id) => names.get(id) ?? id,
    domainCount: domains.size,
  };
}

/** Endings with more labels than `labels` are not even cut out. */
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

/** Where the last `count` labels of a name begin. */
function lastLabels(name: string, count: number): number {
  let start = name.length + 1;
  for (let labels = 0; labels < count && start > 1; labels++) start = name.lastIndexOf('.', start - 2) + 1;
  return start > name.length ? 0 : start;
}

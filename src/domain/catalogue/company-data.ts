import { isObject } from '../../kit/is-object.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { type Companies, type Company, type CompanyCategory, companiesOf, knownDomains } from './company.ts';
import { isDomainName } from './domain-name.ts';
import { type EntryError, nameOf } from './entry-error.ts';

/** Data sets in the format of AdGuard's companiesdb. */
export type CompanyAdditions = { readonly trackers?: unknown; readonly companies?: unknown };

type Named = Readonly<Record<string, unknown>>;

// Other numbers are outside the four categories; newer data sets may have more of them.
const categoryOfNumber: Readonly<Record<number, CompanyCategory>> = {
  3: 'ADS', // pornvertising
  4: 'ADS', // advertising
  6: 'TRACKERS', // site analytics
  7: 'SOCIAL_MEDIA',
  9: 'CDN',
  15: 'TRACKERS', // telemetry
  101: 'TRACKERS', // mobile analytics
};

const MAX_ERRORS = 20;

/** Added data overrides the built-in data, per domain and name. */
export function openCompanies(more: CompanyAdditions = {}): Result<Companies, readonly EntryError[]> {
  const { trackers = {}, companies = {} } = more;
  const errors: EntryError[] = [];
  const company = sharedCompanies(namesIn(objectIn(companies, 'companies', 'companies', errors), errors));
  const merged = new Map<string, Company>();
  for (const [domain, { id, name, category }] of knownDomains()) merged.set(domain, company(id, name, category));

  const trackersById = objectIn(trackers, 'trackers', 'trackers', errors);
  const owners = ownersOf(trackersById, company, errors);
  for (const [domain, tracker] of Object.entries(objectIn(trackers, 'trackers', 'trackerDomains', errors))) {
    const path = `trackers.trackerDomains["${domain}"]`;
    const name = domain.toLowerCase();
    const owner = typeof tracker === 'string' ? owners.get(tracker) : undefined;
    if (!isDomainName(name)) errors.push({ path, message: `"${domain}" is not a domain name` });
    else if (owner) merged.set(name, owner);
    else if (typeof tracker !== 'string' || !Object.hasOwn(trackersById, tracker))
      errors.push({ path, message: `expected the id of a tracker, got ${nameOf(tracker)}` });
  }
  return errors.length > 0 ? err(shortened(errors)) : ok(companiesOf(merged));
}

type MakeCompany = (id: string, otherwiseNamed: string, category: CompanyCategory) => Company;

/** One object per company and category, and one name per id, because statistics group by both. */
function sharedCompanies(names: Map<string, string>): MakeCompany {
  const made = new Map<string, Company>();
  return (id, otherwiseNamed, category) => {
    const name = names.get(id) ?? otherwiseNamed;
    const company = made.get(`${id} ${category}`) ?? { id, name, category };
    names.set(id, name);
    made.set(`${id} ${category}`, company);
    return company;
  };
}

function namesIn(companies: Named, errors: EntryError[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [id, company] of Object.entries(companies)) {
    const name = isObject(company) ? company['name'] : undefined;
    const message = `expected text, got ${nameOf(name)}`;
    if (typeof name === 'string' && name !== '') names.set(id.toLowerCase(), name);
    else errors.push({ path: `companies.companies["${id}"].name`, message });
  }
  return names;
}

function objectIn(file: unknown, path: string, key: string, errors: EntryError[]): Named {
  const held = isObject(file) ? file[key] : undefined;
  if (isObject(held)) return held;
  // A missing file has no errors.
  const isAbsent = isObject(file) && Object.keys(file).length === 0;
  const message = isObject(file)
    ? `expected an object, got ${nameOf(held)}`
    : `expected a file with this member, got ${nameOf(file)}`;
  if (!isAbsent) errors.push({ path: `${path}.${key}`, message });
  return {};
}

function ownersOf(trackers: Named, company: MakeCompany, errors: EntryError[]): ReadonlyMap<string, Company> {
  const owners = new Map<string, Company>();
  for (const [id, tracker] of Object.entries(trackers)) {
    const error = trackerError(tracker);
    if (error) {
      errors.push({ path: `trackers.trackers["${id}"]${error.member}`, message: error.message });
      continue;
    }
    const { name, categoryId, companyId } = tracker as Tracker;
    // A tracker without a company is its own company.
    owners.set(id, company((companyId || id).toLowerCase(), name, categoryOfNumber[categoryId] ?? 'OTHERS'));
  }
  return owners;
}

type Tracker = { readonly name: string; readonly categoryId: number; readonly companyId?: string | null };

function trackerError(tracker: unknown): { readonly member: string; readonly message: string } | undefined {
  if (!isObject(tracker)) return { member: '', message: `expected an object, got ${nameOf(tracker)}` };
  const { name, categoryId, companyId } = tracker;
  if (typeof name !== 'string' || name === '')
    return { member: '.name', message: `expected text, got ${nameOf(name)}` };
  if (!Number.isInteger(categoryId))
    return { member: '.categoryId', message: `expected the number of a category, got ${nameOf(categoryId)}` };
  if (companyId !== undefined && companyId !== null && typeof companyId !== 'string')
    return { member: '.companyId', message: `expected the id of a company or null, got ${nameOf(companyId)}` };
  return undefined;
}

/** A file in another format has an error on every line: report only the first ones. */
function shortened(errors: readonly EntryError[]): readonly EntryError[] {
  const left = errors.length - MAX_ERRORS;
  return left > 0 ? [...errors.slice(0, MAX_ERRORS), { path: '', message: `and ${left} more errors` }] : errors;
}

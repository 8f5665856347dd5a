import type { PageLink } from '../../domain/log-query.ts';
import { queryCategories } from '../../domain/query-record.ts';
import {
  type ActiveDevices,
  activeDeviceBuckets,
  byQueries,
  type CategoryCounts,
  type CompanyCounts,
  type CompanyDetails,
  type CompanyDetailsPage,
  type CountryCounts,
  type DeviceCounts,
  type DomainCounts,
  type TimeCounts,
  zeroFilled,
} from '../../domain/statistics.ts';
import { type RollupField, rollupFields } from '../rollups/rollup.ts';
import { countsOf, eachRollup, emptySums, groupSums, type RollupQuery, SLOTS, type Sum } from '../rollups/sums.ts';
import type { Value } from '../segments/columns.ts';

const MAX_ROWS = 1000;
const [COMPANY, DEVICE, DOMAIN] = (['companyId', 'device', 'domain'] as const).map((field) =>
  rollupFields.indexOf(field),
) as [number, number, number];

export const categoriesOf = (counted: RollupQuery): readonly CategoryCounts[] => {
  const sums = sumBy(counted, 'category');
  return queryCategories.map((category) => ({ category, queries: sums.get(category)?.queries ?? 0 }));
};

export const companiesOf = (counted: RollupQuery): readonly CompanyCounts[] =>
  ranked(counted, 'companyId').map(([companyId, sum]) => ({ companyId, value: countsOf(sum) }));

export const countriesOf = (counted: RollupQuery): readonly CountryCounts[] =>
  ranked(counted, 'responseCountry').map(([country, sum]) => ({ country, value: countsOf(sum) }));

export const devicesOf = (counted: RollupQuery): readonly DeviceCounts[] =>
  ranked(counted, 'device').map(([device, sum]) => ({ device, lastActivity: sum.last, value: countsOf(sum) }));

export const domainsOf = (counted: RollupQuery): readonly DomainCounts[] =>
  ranked(counted, 'domain').map(([domain, sum]) => ({ domain, value: countsOf(sum) }));

export function timeOf(counted: RollupQuery): readonly TimeCounts[] {
  const sums = emptySums<number>();
  const { unit, width } = counted.buckets;
  const { first } = counted.resultBuckets;
  eachRollup(counted, (rollup, isChosen) => {
    const groups = groupSums(rollup, unit === 'minute' ? SLOTS : 1);
    groups.add(rollup.slots, isChosen);
    groups.addTo(sums, (slot) => Math.max(first, rollup.start + slot * width));
  });
  return zeroFilled(counted.resultBuckets, new Map(Array.from(sums.byName, ([time, sum]) => [time, countsOf(sum)])));
}

export function activeDevicesOf(counted: RollupQuery): readonly ActiveDevices[] {
  const active = new Map<number, Set<string>>();
  const { unit, width } = counted.buckets;
  const { first } = counted.resultBuckets;
  eachRollup(counted, ({ start, length, slots, fields }, isChosen) => {
    const { values, codes } = fields[DEVICE]!;
    for (let cell = 0; cell < length; cell += 1) {
      const device = isChosen?.[cell] === 0 ? undefined : values[codes[cell]!];
      if (typeof device !== 'string') continue;
      const time = Math.max(first, start + (unit === 'minute' ? slots[cell]! * width : 0));
      const devices = active.get(time);
      if (devices) devices.add(device);
      else active.set(time, new Set([device]));
    }
  });
  return activeDeviceBuckets(
    counted.resultBuckets,
    new Map(Array.from(active, ([time, devices]) => [time, devices.size])),
  );
}

/** One page of the companies, with their domains. */
export function companyDetailsOf(counted: RollupQuery, limit: number, page: number): CompanyDetailsPage {
  const companies = all(counted, 'companyId');
  const shown = companies.slice((page - 1) * limit, page * limit);
  const domains = domainsByCompany(counted, new Set(shown.map(([company]) => company)));
  const items = shown.map(([companyId, sum]) => ({
    companyId,
    value: countsOf(sum),
    ...domainFigures(domains.get(companyId) ?? new Map()),
  }));
  const count = Math.max(1, Math.ceil(companies.length / limit));
  const pages = Array.from({ length: count }, (_, index): PageLink => {
    const number = index + 1;
    return { number, cursor: `${counted.query.to}:${number}:${limit}:${companies.length}`, isCurrent: number === page };
  });
  return { items, pages };
}

type DomainSum = { queries: number; blocked: number };

function domainsByCompany(counted: RollupQuery, wanted: ReadonlySet<Value>): Map<Value, Map<string, DomainSum>> {
  const found = new Map<Value, Map<string, DomainSum>>();
  for (const company of wanted) found.set(company, new Map());
  eachRollup(counted, (rollup, isChosen) => {
    const [company, domain] = [rollup.fields[COMPANY]!, rollup.fields[DOMAIN]!];
    const ofCompanies = company.values.map((id) => found.get(id));
    const domains = domain.values;
    for (let cell = 0; cell < rollup.length; cell += 1) {
      const ofCompany = isChosen?.[cell] === 0 ? undefined : ofCompanies[company.codes[cell]!];
      const name = domains[domain.codes[cell]!];
      if (!ofCompany || typeof name !== 'string') continue;
      let sum = ofCompany.get(name);
      if (!sum) {
        sum = { queries: 0, blocked: 0 };
        ofCompany.set(name, sum);
      }
      sum.queries += rollup.queries[cell]!;
      sum.blocked += rollup.blocked[cell]!;
    }
  });
  return found;
}

function domainFigures(
  domains: ReadonlyMap<string, DomainSum>,
): Pick<CompanyDetails, 'domains' | 'topQueriesDomain' | 'topBlockedDomain'> {
  const top = (of: 'queries' | 'blocked'): string | undefined =>
    [...domains]
      .sort(
        byQueries(
          ([, sum]) => sum[of],
          ([name]) => name,
        ),
      )
      .find(([, sum]) => sum[of] > 0)?.[0];
  const topBlockedDomain = top('blocked');
  return {
    domains: domains.size,
    topQueriesDomain: top('queries') ?? '',
    ...(topBlockedDomain === undefined ? {} : { topBlockedDomain }),
  };
}

/** The first `MAX_ROWS` by queries, without sorting the others. */
function ranked(counted: RollupQuery, field: RollupField): [string, Sum][] {
  const sums = sumBy(counted, field);
  const most = new Float64Array(sums.size);
  let index = 0;
  for (const { queries } of sums.values()) {
    most[index] = queries;
    index += 1;
  }
  const least = most.sort()[most.length - MAX_ROWS] ?? 0;
  const first: [string, Sum][] = [];
  for (const entry of sums) if (entry[1].queries >= least) first.push(entry);
  return inOrder(first).slice(0, MAX_ROWS);
}

const all = (counted: RollupQuery, field: RollupField): [string, Sum][] => inOrder([...sumBy(counted, field)]);

const inOrder = (sums: [string, Sum][]): [string, Sum][] =>
  sums.sort(
    byQueries(
      ([, { queries }]) => queries,
      ([name]) => name,
    ),
  );

/** Omits rollup rows without a value in the field. */
function sumBy(counted: RollupQuery, field: RollupField): Map<string, Sum> {
  const sums = emptySums<string>();
  const column = rollupFields.indexOf(field);
  eachRollup(counted, (rollup, isChosen) => {
    const { values, codes } = rollup.fields[column]!;
    const groups = groupSums(rollup, values.length);
    groups.add(codes, isChosen);
    groups.addTo(sums, (code) => (typeof values[code] === 'string' ? values[code] : undefined));
  });
  return sums.byName;
}

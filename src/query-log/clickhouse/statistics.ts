import type { PageLink } from '../../domain/log-query.ts';
import { queryCategories } from '../../domain/query-record.ts';
import {
  activeDeviceBuckets,
  bucketsOf,
  countedBucketsOf,
  type LogStatistics,
  latencyBuckets,
  type QueryCounts,
  type StatisticsQuery,
  wholeRange,
  zeroFilled,
} from '../../domain/statistics.ts';
import type { ClickhouseClient } from './client.ts';
import { LATENCY } from './columns.ts';
import { visibleRows } from './read-page.ts';
import { rollupTables, startOf } from './schema.ts';
import { allOf, isOneOf, quoted } from './sql.ts';

const MAX_ROWS = 1000;
const BLOCKED = "status IN ('REQUEST_BLOCKED', 'RESPONSE_BLOCKED')";
const COUNTS = 'sum(queries) AS all_queries, sum(blocked), uniqExact(company_id)';

type Counts = readonly [queries: number, blocked: number, companies: number];
const countsOf = ([queries, blocked, companies]: Counts): QueryCounts => ({ queries, blocked, companies });

const filters = (query: StatisticsQuery): readonly string[] => [
  ...isOneOf('device', query.devices),
  ...isOneOf('dns_server', query.dnsServers),
  ...isOneOf('response_country', query.countries),
  ...isOneOf('company_id', query.companies),
];

const secondsOf = (time: number): number => Math.max(0, Math.round(time / 1000));

/** `FROM` and `WHERE` of the counts of a range, in the finest unit that is stored. */
function counted(account: string, query: StatisticsQuery, now: number): string {
  const { unit, first, last } = countedBucketsOf(query, now);
  const conditions = [
    `account = ${quoted(account)}`,
    `start >= ${secondsOf(first)}`,
    `start <= ${secondsOf(last)}`,
    ...filters(query),
  ];
  return `FROM ${rollupTables[unit]} WHERE ${allOf(conditions)}`;
}

export function clickhouseStatistics({ select }: ClickhouseClient, now: () => number): LogStatistics {
  /** Counts by a column, without rows that have no value in it. */
  const ranked = async (account: string, query: StatisticsQuery, column: string, isOptional = false) => {
    const hasValue = isOptional ? ` AND ${column} != ''` : '';
    return select<[name: string, queries: number, blocked: number, companies: number, last: number]>(
      `SELECT ${column}, ${COUNTS}, toUnixTimestamp64Milli(max(last)) ${counted(account, query, now())}${hasValue} ` +
        `GROUP BY ${column} ORDER BY all_queries DESC, ${column} LIMIT ${MAX_ROWS}`,
    );
  };
  const named = async <Name extends string>(
    name: Name,
    rows: Promise<readonly (readonly [string, number, number, number, number])[]>,
  ) =>
    (await rows).map(([value, ...counts]) => ({
      ...({ [name]: value } as Record<Name, string>),
      value: countsOf([counts[0], counts[1], counts[2]]),
    }));
  const fromRows = (account: string, query: StatisticsQuery): string =>
    `FROM queries WHERE ${allOf([...visibleRows(account, query, now()), ...filters(query)])}`;

  /** Counts of a coarser unit go to the bucket in which it starts, or to the first. */
  const bucketFrom = (first: number): string => `greatest(toUnixTimestamp(start), ${secondsOf(first)})`;

  return {
    async activeDevices(account, query) {
      const buckets = bucketsOf(query, now());
      const rows = await select<[number, number]>(
        `SELECT ${bucketFrom(buckets.first)} AS bucket, uniqExact(device) ${counted(account, query, now())} ` +
          "AND device != '' GROUP BY bucket",
      );
      return activeDeviceBuckets(buckets, new Map(rows.map(([start, devices]) => [start * 1000, devices])));
    },
    async blockedCategories(account, query) {
      const rows = await select<[string, number]>(
        `SELECT service_id, count() AS blocked ${fromRows(account, query)} AND ${BLOCKED} ` +
          "AND source = 'PARENTAL_FILTERING_CATEGORY' AND service_id != '' " +
          'GROUP BY service_id ORDER BY blocked DESC, service_id',
      );
      return rows.map(([category, blocked]) => ({ category, blocked }));
    },
    async categories(account, query) {
      const rows = new Map((await ranked(account, query, 'category')).map(([name, queries]) => [name, queries]));
      return queryCategories.map((category) => ({ category, queries: rows.get(category) ?? 0 }));
    },
    companies: (account, query) => named('companyId', ranked(account, query, 'company_id')),
    companiesDetailed: (account, query) => companyDetails(select, counted(account, query, now()), query),
    countries: (account, query) => named('country', ranked(account, query, 'response_country', true)),
    async devices(account, query) {
      const rows = await ranked(account, query, 'device', true);
      return rows.map(([device, queries, blocked, companies, lastActivity]) => ({
        device,
        lastActivity,
        value: { queries, blocked, companies },
      }));
    },
    domains: (account, query) => named('domain', ranked(account, query, 'domain')),
    async time(account, query) {
      const buckets = bucketsOf(query, now());
      const rows = await select<[number, ...Counts]>(
        `SELECT ${bucketFrom(buckets.first)} AS bucket, ${COUNTS} ${counted(account, query, now())} GROUP BY bucket`,
      );
      return zeroFilled(buckets, new Map(rows.map(([start, ...counts]) => [start * 1000, countsOf(counts)])));
    },
    async lists(account, query) {
      const aligned = { ...query, ...wholeRange(bucketsOf(query, now())) };
      const rows = await select<[string, number]>(
        `SELECT filter_id, count() AS blocked ${fromRows(account, aligned)} AND ${BLOCKED} AND filter_id != '' ` +
          'GROUP BY filter_id ORDER BY blocked DESC, filter_id',
      );
      return rows.map(([filterId, blocked]) => ({ filterId, blocked }));
    },
    async latency(account, query) {
      const buckets = bucketsOf(query, now());
      const aligned = { ...query, ...wholeRange(buckets) };
      const rows = await select<[number, number, number]>(
        `SELECT toUnixTimestamp(${startOf[buckets.unit]}) AS bucket, count(), sum(${LATENCY}) ` +
          `${fromRows(account, aligned)} AND ${LATENCY} IS NOT NULL GROUP BY bucket`,
      );
      return latencyBuckets(buckets, new Map(rows.map(([start, queries, ms]) => [start * 1000, { queries, ms }])));
    },
    async clients(account, query) {
      const rows = await select<[string, number, number, number]>(
        `SELECT client_subnet, toUnixTimestamp64Milli(max(time)), count() AS all_queries, countIf(${BLOCKED}) ` +
          `${fromRows(account, query)} AND device = '' AND client_subnet != '' ` +
          `GROUP BY client_subnet ORDER BY all_queries DESC, client_subnet LIMIT ${MAX_ROWS}`,
      );
      return rows.map(([address, lastActivity, queries, blocked]) => ({ address, lastActivity, queries, blocked }));
    },
  };
}

/** One page of the companies, with their domains. */
async function companyDetails(
  select: ClickhouseClient['select'],
  rollups: string,
  { to, limit, page = 1 }: StatisticsQuery & { readonly limit: number; readonly page?: number },
) {
  const [[total] = [0]] = await select<[number]>(`SELECT uniqExact(company_id) ${rollups}`);
  // Of domains with equal counts, the first by name is shown.
  const rows = await select<[string, number, number, number, string, string]>(
    'SELECT company_id, sum(q) AS all_queries, sum(b), count(), argMin(domain, (-q, domain)), argMinIf(domain, (-b, domain), b > 0) ' +
      `FROM (SELECT company_id, domain, toInt64(sum(queries)) AS q, toInt64(sum(blocked)) AS b ${rollups} GROUP BY company_id, domain) ` +
      `GROUP BY company_id ORDER BY all_queries DESC, company_id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
  );
  const items = rows.map(([companyId, queries, blocked, domains, topQueriesDomain, topBlockedDomain]) => ({
    companyId,
    value: { queries, blocked, companies: 1 },
    domains,
    topQueriesDomain,
    ...(blocked === 0 ? {} : { topBlockedDomain }),
  }));
  const pages = Array.from({ length: Math.max(1, Math.ceil(total / limit)) }, (_, index): PageLink => {
    const number = index + 1;
    return { number, cursor: `${to}:${number}:${limit}:${total}`, isCurrent: number === page };
  });
  return { items, pages };
}

import type { LogQuery } from '../../../src/domain/log-query.ts';
import { isBlocked, type QueryRecord } from '../../../src/domain/query-record.ts';
import { bucketsOf, countedBucketsOf, type StatisticsQuery } from '../../../src/domain/statistics.ts';

/** Reference implementation of the log: an array that every query scans completely. */
export function plainLog(records: readonly QueryRecord[], now: number) {
  const among = (wanted: readonly string[] | undefined, value: string | undefined): boolean =>
    !wanted || wanted.length === 0 || (value !== undefined && wanted.includes(value));
  const counted = (account: string, query: StatisticsQuery): QueryRecord[] => {
    const { first, last, width } = countedBucketsOf(query, now);
    return records.filter(
      (record) =>
        record.account === account &&
        record.time >= first &&
        record.time < last + width &&
        among(query.devices, record.device) &&
        among(query.dnsServers, record.dnsServer) &&
        among(query.countries, record.responseCountry) &&
        among(query.companies, record.companyId),
    );
  };
  const values = (group: readonly QueryRecord[]) => ({
    queries: group.length,
    blocked: group.filter(({ status }) => isBlocked(status)).length,
    companies: new Set(group.map(({ companyId }) => companyId)).size,
  });
  const ranked = <T>(rows: Iterable<readonly [string, T]>, queries: (row: T) => number): [string, T][] =>
    [...rows]
      .map(([name, row]): [string, T] => [name, row])
      .sort((a, b) => queries(b[1]) - queries(a[1]) || (a[0] < b[0] ? -1 : 1));
  const groups = (account: string, query: StatisticsQuery, of: (record: QueryRecord) => string | undefined) => {
    const known = counted(account, query).filter((record) => of(record) !== undefined);
    return ranked(
      Map.groupBy(known, (record) => of(record)!),
      (group) => group.length,
    );
  };
  const overTime = (account: string, query: StatisticsQuery) => {
    const { first, last, width } = bucketsOf(query, now);
    const counts = countedBucketsOf(query, now);
    // The bucket of the counted one's start, or the first.
    const placed = (at: number): number => Math.max(first, Math.floor(at / counts.width) * counts.width);
    const rows = counted(account, query);
    return Array.from({ length: Math.max(0, (last - first) / width + 1) }, (_, index) => {
      const time = first + index * width;
      return { time, rows: rows.filter((record) => placed(record.time) === time) };
    });
  };
  const top = (group: readonly QueryRecord[]): string | undefined =>
    ranked(
      Map.groupBy(group, ({ domain }) => domain),
      (same) => same.length,
    )[0]?.[0];

  const isFound = (domain: string, search: string): boolean =>
    search.length > 2 && search.startsWith('"') && search.endsWith('"')
      ? domain === search.slice(1, -1)
      : domain.includes(search);

  return {
    rows: (account: string, query: LogQuery): QueryRecord[] =>
      records
        .filter(
          (record) =>
            record.account === account &&
            record.time >= query.from &&
            record.time <= query.to &&
            among(query.devices, record.device) &&
            among(query.dnsServers, record.dnsServer) &&
            among(query.countries, record.responseCountry) &&
            among(query.companies, record.companyId) &&
            among(query.statuses, record.status) &&
            among(query.categories, record.category) &&
            among(query.clientAddresses, record.clientSubnet) &&
            among(query.lists, record.filterId) &&
            isFound(record.domain, (query.search ?? '').toLowerCase()),
        )
        // In one millisecond, the later record is newer.
        .reverse()
        .sort((one, other) => other.time - one.time),
    blockedCategories: (account: string, query: StatisticsQuery) => {
      const rows = records.filter(
        (record) =>
          record.account === account &&
          record.time >= query.from &&
          record.time <= query.to &&
          record.source === 'PARENTAL_FILTERING_CATEGORY' &&
          record.serviceId !== undefined &&
          isBlocked(record.status) &&
          among(query.devices, record.device) &&
          among(query.dnsServers, record.dnsServer) &&
          among(query.countries, record.responseCountry) &&
          among(query.companies, record.companyId),
      );
      return ranked(
        Map.groupBy(rows, ({ serviceId }) => serviceId!),
        (group) => group.length,
      ).map(([category, group]) => ({ category, blocked: group.length }));
    },
    lists: (account: string, query: StatisticsQuery) => {
      const { first, last, width } = bucketsOf(query, now);
      return ranked(
        Map.groupBy(
          records.filter(
            (record) =>
              record.account === account &&
              record.time >= first &&
              record.time < last + width &&
              record.filterId !== undefined &&
              isBlocked(record.status) &&
              among(query.devices, record.device) &&
              among(query.dnsServers, record.dnsServer) &&
              among(query.countries, record.responseCountry) &&
              among(query.companies, record.companyId),
          ),
          ({ filterId }) => filterId!,
        ),
        (group) => group.length,
      ).map(([filterId, group]) => ({ filterId, blocked: group.length }));
    },
    latency: (account: string, query: StatisticsQuery) => {
      const { first, last, width } = bucketsOf(query, now);
      const rows = records.filter(
        (record) =>
          record.account === account &&
          record.latencyMs !== undefined &&
          among(query.devices, record.device) &&
          among(query.dnsServers, record.dnsServer) &&
          among(query.countries, record.responseCountry) &&
          among(query.companies, record.companyId),
      );
      return Array.from({ length: Math.max(0, (last - first) / width + 1) }, (_, index) => {
        const time = first + index * width;
        const own = rows.filter((record) => record.time >= time && record.time < time + width);
        const sum = own.reduce((total, { latencyMs }) => total + latencyMs!, 0);
        const averageMs = own.length === 0 ? undefined : Math.round((sum / own.length) * 10) / 10;
        return { time, queries: own.length, averageMs };
      });
    },
    categories: (account: string, query: StatisticsQuery) =>
      (['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const).map((category) => ({
        category,
        queries: counted(account, query).filter((record) => record.category === category).length,
      })),
    companies: (account: string, query: StatisticsQuery) =>
      groups(account, query, ({ companyId }) => companyId).map(([companyId, group]) => ({
        companyId,
        value: values(group),
      })),
    companiesDetailed: (account: string, query: StatisticsQuery) =>
      groups(account, query, ({ companyId }) => companyId).map(([companyId, group]) => {
        const topBlockedDomain = top(group.filter(({ status }) => isBlocked(status)));
        return {
          companyId,
          value: values(group),
          domains: new Set(group.map(({ domain }) => domain)).size,
          topQueriesDomain: top(group)!,
          ...(topBlockedDomain === undefined ? {} : { topBlockedDomain }),
        };
      }),
    countries: (account: string, query: StatisticsQuery) =>
      groups(account, query, ({ responseCountry }) => responseCountry).map(([country, group]) => ({
        country,
        value: values(group),
      })),
    devices: (account: string, query: StatisticsQuery) =>
      groups(account, query, ({ device }) => device).map(([device, group]) => ({
        device,
        lastActivity: Math.max(...group.map(({ time }) => time)),
        value: values(group),
      })),
    clients: (account: string, query: StatisticsQuery) =>
      ranked(
        Map.groupBy(
          records.filter(
            (record) =>
              record.account === account &&
              record.time >= query.from &&
              record.time <= query.to &&
              record.clientSubnet !== undefined &&
              record.device === undefined &&
              among(query.devices, record.device) &&
              among(query.dnsServers, record.dnsServer) &&
              among(query.countries, record.responseCountry) &&
              among(query.companies, record.companyId),
          ),
          ({ clientSubnet }) => clientSubnet!,
        ),
        (group) => group.length,
      ).map(([address, group]) => ({
        address,
        lastActivity: Math.max(...group.map(({ time }) => time)),
        queries: group.length,
        blocked: group.filter(({ status }) => isBlocked(status)).length,
      })),
    domains: (account: string, query: StatisticsQuery) =>
      groups(account, query, ({ domain }) => domain).map(([domain, group]) => ({ domain, value: values(group) })),
    time: (account: string, query: StatisticsQuery) =>
      overTime(account, query).map(({ time, rows }) => ({ time, value: values(rows) })),
    activeDevices: (account: string, query: StatisticsQuery) =>
      overTime(account, query).map(({ time, rows }) => ({
        time,
        devices: new Set(rows.flatMap(({ device }) => device ?? [])).size,
      })),
  };
}

import Type, { type Static, type TSchema } from 'typebox';
import type * as domain from '../../domain/statistics.ts';
import { int32, int64, object } from './named.ts';
import { Navigation, Page } from './pages.ts';
import { pagesToWire } from './pages-to-wire.ts';
import { CategoryType } from './query-log.ts';

const QueriesStats = object('QueriesStats', 'Counts.', {
  blocked: int64(),
  companies: int32({ description: 'Number of distinct values.' }),
  queries: int64(),
});

const list = <Row extends TSchema>(name: string, row: Row) => object(name, 'The rows.', { stats: Type.Array(row) });
const ranking = <Row extends TSchema>(name: string, row: Row) =>
  object(name, 'A page of rows, sorted by queries.', { navigation: Navigation, stats: Type.Array(row) });

const CategoryQueriesStats = object('CategoryQueriesStats', 'Statistics of a category.', {
  category_type: CategoryType,
  queries: int64(),
});
export const CategoryQueriesStatsList = list('CategoryQueriesStatsList', CategoryQueriesStats);

const BlockedParentalCategoryQueriesStats = object(
  'BlockedParentalCategoryQueriesStats',
  'Statistics of a filtering category.',
  { blocked: int64(), category: Type.String() },
);
export const BlockedParentalCategoryQueriesStatsList = list(
  'BlockedParentalCategoryQueriesStatsList',
  BlockedParentalCategoryQueriesStats,
);

const CompanyQueriesStats = object('CompanyQueriesStats', 'Statistics of a company.', {
  company_name: Type.String(),
  value: QueriesStats,
});
export const CompanyQueriesStatsList = ranking('CompanyQueriesStatsList', CompanyQueriesStats);

const CompanyDetailedQueriesStats = object('CompanyDetailedQueriesStats', 'Statistics of a company and its domains.', {
  company_name: Type.String(),
  domains_count: int32(),
  top_blocked_domain: Type.Optional(Type.String()),
  top_queries_domain: Type.String(),
  value: QueriesStats,
});
export const CompanyDetailedQueriesStatsList = object(
  'CompanyDetailedQueriesStatsList',
  'A page of company statistics.',
  {
    navigation: Navigation,
    pages: Type.Array(Page),
    stats: Type.Array(CompanyDetailedQueriesStats),
  },
);

const CountryQueriesStats = object('CountryQueriesStats', 'Statistics of a country.', {
  country: Type.String(),
  value: QueriesStats,
});
export const CountryQueriesStatsList = ranking('CountryQueriesStatsList', CountryQueriesStats);

const DeviceQueriesStats = object('DeviceQueriesStats', 'Statistics of a device.', {
  device_id: Type.String(),
  last_activity_time_millis: Type.Optional(int64()),
  value: QueriesStats,
});
export const DeviceQueriesStatsList = ranking('DeviceQueriesStatsList', DeviceQueriesStats);

const DomainQueriesStats = object('DomainQueriesStats', 'Statistics of a domain.', {
  domain: Type.String(),
  value: QueriesStats,
});
export const DomainQueriesStatsList = ranking('DomainQueriesStatsList', DomainQueriesStats);

const TimeQueriesStats = object('TimeQueriesStats', 'Statistics of a time interval.', {
  time_millis: int64({ description: 'Start of the interval.' }),
  value: QueriesStats,
});
export const TimeQueriesStatsList = list('TimeQueriesStatsList', TimeQueriesStats);

type NameOf = (companyId: string) => string;

const value = ({ queries, blocked, companies }: domain.QueryCounts): Static<typeof QueriesStats> => ({
  blocked,
  companies,
  queries,
});

export const categoriesToWire = (rows: readonly domain.CategoryCounts[]): Static<typeof CategoryQueriesStatsList> => ({
  stats: rows.map(({ category, queries }) => ({ category_type: category, queries })),
});

export const companiesToWire = (
  rows: readonly domain.CompanyCounts[],
  nameOf: NameOf,
): Static<typeof CompanyQueriesStats>[] =>
  rows.map((row) => ({ company_name: nameOf(row.companyId), value: value(row.value) }));

export const companyDetailsToWire = (
  { items, pages }: domain.CompanyDetailsPage,
  navigation: Static<typeof Navigation>,
  nameOf: NameOf,
): Static<typeof CompanyDetailedQueriesStatsList> => ({
  navigation,
  pages: pagesToWire(pages),
  stats: items.map((row) => ({
    company_name: nameOf(row.companyId),
    domains_count: row.domains,
    ...(row.topBlockedDomain !== undefined && { top_blocked_domain: row.topBlockedDomain }),
    top_queries_domain: row.topQueriesDomain,
    value: value(row.value),
  })),
});

export const countriesToWire = (rows: readonly domain.CountryCounts[]): Static<typeof CountryQueriesStats>[] =>
  rows.map((row) => ({ country: row.country, value: value(row.value) }));

export const devicesToWire = (rows: readonly domain.DeviceCounts[]): Static<typeof DeviceQueriesStats>[] =>
  rows.map((row) => ({
    device_id: row.device,
    last_activity_time_millis: row.lastActivity,
    value: value(row.value),
  }));

export const domainsToWire = (rows: readonly domain.DomainCounts[]): Static<typeof DomainQueriesStats>[] =>
  rows.map((row) => ({ domain: row.domain, value: value(row.value) }));

export const timesToWire = (rows: readonly domain.TimeCounts[]): Static<typeof TimeQueriesStatsList> => ({
  stats: rows.map((row) => ({ time_millis: row.time, value: value(row.value) })),
});

import Type, { type TSchema } from 'typebox';
import type { StatisticsQuery } from '../domain/statistics.ts';
import { ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { navigationOf, pageOfRows, statsPageFromWire, statsPageParameters } from './stats-pages.ts';
import { rangeFromWire, rangeParameters } from './time-range.ts';
import {
  BlockedParentalCategoryQueriesStatsList,
  CategoryQueriesStatsList,
  CompanyDetailedQueriesStatsList,
  CompanyQueriesStatsList,
  CountryQueriesStatsList,
  categoriesToWire,
  companiesToWire,
  companyDetailsToWire,
  countriesToWire,
  DeviceQueriesStatsList,
  DomainQueriesStatsList,
  devicesToWire,
  domainsToWire,
  TimeQueriesStatsList,
  timesToWire,
} from './wire/statistics.ts';

const group = 'Statistics';

const statistic = (
  name: string,
  operationId: string,
  summary: string,
  reply: TSchema,
  run: (deps: Deps, account: string, query: StatisticsQuery) => Promise<object>,
): Operation =>
  query({
    method: 'GET',
    path: `/oapi/v1/stats/${name}`,
    operationId,
    group,
    summary,
    description:
      'Whole minutes, hours or days in UTC, depending on the length of the time range. Filters are combined.',
    query: Type.Object(rangeParameters),
    reply,
    responseDescription: 'Statistics.',
    errors: [400],
    run: async (_store, { caller, query }, deps) => {
      const range = rangeFromWire(query);
      return range.ok ? ok(await run(deps, caller.account, range.value)) : range;
    },
  });

/** A statistic with one row per value, sorted by queries. Without `limit` it has up to 1000 rows, as in version 1.11. */
const ranking = <Row>(
  name: string,
  operationId: string,
  summary: string,
  reply: TSchema,
  run: {
    readonly rows: (deps: Deps, account: string, query: StatisticsQuery) => Promise<readonly Row[]>;
    readonly toWire: (rows: readonly Row[], deps: Deps) => readonly object[];
  },
): Operation =>
  query({
    method: 'GET',
    path: `/oapi/v1/stats/${name}`,
    operationId,
    group,
    summary,
    description: 'Without `limit` and `cursor`, up to 1000 rows.',
    query: Type.Object({ ...rangeParameters, ...statsPageParameters }),
    reply,
    responseDescription: 'A page of statistics.',
    errors: [400],
    run: async (_store, { caller, query }, deps) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const page = statsPageFromWire(query);
      if (!page.ok) return page;
      const all = await run.rows(deps, caller.account, range.value);
      const { rows, navigation } = pageOfRows(all, page.value, range.value.to);
      return ok({ navigation, stats: run.toWire(rows, deps) });
    },
  });

const DETAILED_ROWS = 20;

export const statisticsOperations: readonly Operation[] = [
  statistic(
    'blocked_parental_categories',
    'getBlockedParentalCategoryStats',
    'Get blocked queries by filtering category of parental control',
    BlockedParentalCategoryQueriesStatsList,
    async ({ log }, account, query) => ({ stats: await log.statistics.blockedCategories(account, query) }),
  ),
  statistic(
    'categories',
    'getCategoriesQueriesStats',
    'Get query statistics by category',
    CategoryQueriesStatsList,
    async ({ log }, account, query) => categoriesToWire(await log.statistics.categories(account, query)),
  ),
  ranking('companies', 'getCompaniesStats', 'Get query statistics by company', CompanyQueriesStatsList, {
    rows: ({ log }, account, query) => log.statistics.companies(account, query),
    toWire: (rows, { companies }) => companiesToWire(rows, companies.nameOf),
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/stats/companies/detailed',
    operationId: 'getDetailedCompaniesStats',
    group,
    summary: 'Get detailed query statistics by company',
    description: 'Without `limit`, 20 rows per page.',
    query: Type.Object({ ...rangeParameters, ...statsPageParameters }),
    reply: CompanyDetailedQueriesStatsList,
    responseDescription: 'A page of statistics.',
    errors: [400],
    run: async (_store, { caller, query }, { log, companies }) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const page = statsPageFromWire(query, DETAILED_ROWS);
      if (!page.ok) return page;
      const found = await log.statistics.companiesDetailed(caller.account, { ...range.value, ...page.value });
      const navigation = navigationOf(found.pages, page.value.page);
      return ok(companyDetailsToWire(found, navigation, companies.nameOf));
    },
  }),
  ranking(
    'countries',
    'getCountriesQueriesStats',
    'Get query statistics by country of the response address',
    CountryQueriesStatsList,
    { rows: ({ log }, account, query) => log.statistics.countries(account, query), toWire: countriesToWire },
  ),
  ranking('devices', 'getDevicesQueriesStats', 'Get query statistics by device', DeviceQueriesStatsList, {
    rows: ({ log }, account, query) => log.statistics.devices(account, query),
    toWire: devicesToWire,
  }),
  ranking('domains', 'getDomainsQueriesStats', 'Get query statistics by domain', DomainQueriesStatsList, {
    rows: ({ log }, account, query) => log.statistics.domains(account, query),
    toWire: domainsToWire,
  }),
  statistic(
    'time',
    'getTimeQueriesStats',
    'Get query statistics over time',
    TimeQueriesStatsList,
    async ({ log }, account, query) => timesToWire(await log.statistics.time(account, query)),
  ),
];

import Type, { type TSchema } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { parseLogCursor } from '../domain/log-query.ts';
import type { StatisticsQuery } from '../domain/statistics.ts';
import { err, ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { rangeFromWire, rangeParameters } from './time-range.ts';
import {
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
    query: Type.Object(rangeParameters),
    reply,
    responseDescription: 'Statistics.',
    errors: [400],
    run: async (_store, { caller, query }, deps) => {
      const range = rangeFromWire(query);
      return range.ok ? ok(await run(deps, caller.account, range.value)) : range;
    },
  });

const ROWS_OF_PAGE = 20;

export const statisticsOperations: readonly Operation[] = [
  statistic(
    'categories',
    'getCategoriesQueriesStats',
    'Get query statistics by category',
    CategoryQueriesStatsList,
    async ({ log }, account, query) => categoriesToWire(await log.statistics.categories(account, query)),
  ),
  statistic(
    'companies',
    'getCompaniesStats',
    'Get query statistics by company',
    CompanyQueriesStatsList,
    async ({ log, companies }, account, query) =>
      companiesToWire(await log.statistics.companies(account, query), companies.nameOf),
  ),
  query({
    method: 'GET',
    path: '/oapi/v1/stats/companies/detailed',
    operationId: 'getDetailedCompaniesStats',
    group,
    summary: 'Get detailed query statistics by company',
    query: Type.Object({
      ...rangeParameters,
      cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `page_cursor` of a previous response.' })),
    }),
    reply: CompanyDetailedQueriesStatsList,
    responseDescription: 'A page of statistics.',
    errors: [400],
    run: async (_store, { caller, query }, { log, companies }) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const place = query.cursor === undefined ? { page: 1 } : parseLogCursor(query.cursor);
      if (!place) return err(invalid('cursor', 'is not a valid cursor'));
      const wanted = { ...range.value, limit: ROWS_OF_PAGE, page: place.page };
      return ok(companyDetailsToWire(await log.statistics.companiesDetailed(caller.account, wanted), companies.nameOf));
    },
  }),
  statistic(
    'countries',
    'getCountriesQueriesStats',
    'Get query statistics by country of the response address',
    CountryQueriesStatsList,
    async ({ log }, account, query) => countriesToWire(await log.statistics.countries(account, query)),
  ),
  statistic(
    'devices',
    'getDevicesQueriesStats',
    'Get query statistics by device',
    DeviceQueriesStatsList,
    async ({ log }, account, query) => devicesToWire(await log.statistics.devices(account, query)),
  ),
  statistic(
    'domains',
    'getDomainsQueriesStats',
    'Get query statistics by domain',
    DomainQueriesStatsList,
    async ({ log }, account, query) => domainsToWire(await log.statistics.domains(account, query)),
  ),
  statistic(
    'time',
    'getTimeQueriesStats',
    'Get query statistics over time',
    TimeQueriesStatsList,
    async ({ log }, account, query) => timesToWire(await log.statistics.time(account, query)),
  ),
];

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
    responseDescription: 'The counts.',
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
    'Queries by category',
    CategoryQueriesStatsList,
    async ({ log }, account, query) => categoriesToWire(await log.statistics.categories(account, query)),
  ),
  statistic(
    'companies',
    'getCompaniesStats',
    'Queries by company',
    CompanyQueriesStatsList,
    async ({ log, companies }, account, query) =>
      companiesToWire(await log.statistics.companies(account, query), companies.nameOf),
  ),
  query({
    method: 'GET',
    path: '/oapi/v1/stats/companies/detailed',
    operationId: 'getDetailedCompaniesStats',
    group,
    summary: 'Queries by company, with their domains',
    query: Type.Object({
      ...rangeParameters,
      cursor: Type.Optional(Type.String({ maxLength: 100, description: 'A `page_cursor` of an earlier answer.' })),
    }),
    reply: CompanyDetailedQueriesStatsList,
    responseDescription: 'A page of the counts.',
    errors: [400],
    run: async (_store, { caller, query }, { log, companies }) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const place = query.cursor === undefined ? { page: 1 } : parseLogCursor(query.cursor);
      if (!place) return err(invalid('cursor', 'is not one that was given'));
      const wanted = { ...range.value, limit: ROWS_OF_PAGE, page: place.page };
      return ok(companyDetailsToWire(await log.statistics.companiesDetailed(caller.account, wanted), companies.nameOf));
    },
  }),
  statistic(
    'countries',
    'getCountriesQueriesStats',
    'Queries by the country of the answer',
    CountryQueriesStatsList,
    async ({ log }, account, query) => countriesToWire(await log.statistics.countries(account, query)),
  ),
  statistic(
    'devices',
    'getDevicesQueriesStats',
    'Queries by device',
    DeviceQueriesStatsList,
    async ({ log }, account, query) => devicesToWire(await log.statistics.devices(account, query)),
  ),
  statistic(
    'domains',
    'getDomainsQueriesStats',
    'Queries by domain',
    DomainQueriesStatsList,
    async ({ log }, account, query) => domainsToWire(await log.statistics.domains(account, query)),
  ),
  statistic('time', 'getTimeQueriesStats', 'Queries over time', TimeQueriesStatsList, async ({ log }, account, query) =>
    timesToWire(await log.statistics.time(account, query)),
  ),
];

import Type, { type Static } from 'typebox';
import { categoryDescriptions, type FilterList as OwnList } from '../domain/catalogue/filter-list.ts';
import { CATALOGUE_DATE, listFigures } from '../domain/catalogue/list-figures.ts';
import { ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { Company, FilterList, ParentalControlFilteringCategory, WebService } from './wire/catalogue.ts';

const toWire = (list: OwnList, fetched: ReturnType<Deps['fetchedList']>): Static<typeof FilterList> => ({
  categories: [
    {
      category: list.category,
      description: categoryDescriptions[list.category],
      value: list.category.toLowerCase(),
    },
  ],
  description: list.description,
  download_url: list.source,
  filter_id: list.id,
  homepage_url: list.homepage,
  name: list.name,
  // Counts of the catalogue, used before the first download because the published API requires a number and a time.
  rules_count: fetched?.rules ?? listFigures(list.id)?.rules ?? 0,
  source_url: list.source,
  tags: [...list.tags],
  time_updated: new Date(fetched?.updatedAt ?? listFigures(list.id)?.updatedAt ?? CATALOGUE_DATE).toISOString(),
});

export const catalogueOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/companies',
    operationId: 'listCompanies',
    group: 'Query log',
    summary: 'List companies',
    description: 'Names of the company ids in the query log.',
    reply: Type.Array(Company),
    responseDescription: 'Known companies, by name.',
    run: async (_store, _asked, { companies }) => ok([...companies.list]),
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/filter_lists',
    operationId: 'listFilterLists',
    group: 'Filter lists',
    summary: 'List filter lists',
    description: 'The catalogue of filter lists that DNS servers can use.',
    reply: Type.Array(FilterList),
    responseDescription: 'Available filter lists.',
    run: async (_store, _asked, { catalogue, fetchedList }) =>
      ok(Array.from(catalogue.lists.values(), (list) => toWire(list, fetchedList(list.id)))),
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/parental_control_categories',
    operationId: 'listParentalControlFilteringCategories',
    group: 'Parental control',
    summary: 'List kinds of content that parental control can block',
    description: 'Each kind of content can be blocked by its id in the settings of parental control.',
    reply: Type.Array(ParentalControlFilteringCategory),
    responseDescription: 'The filtering categories.',
    run: async (_store, _asked, { catalogue }) => ok(Array.from(catalogue.categories.keys(), (id) => ({ id }))),
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/web_services',
    operationId: 'listWebServices',
    group: 'Web services',
    summary: 'List web services',
    description: 'Each service can be blocked by its id in the settings of parental control.',
    reply: Type.Array(WebService),
    responseDescription: 'Web services that can be blocked.',
    run: async (_store, _asked, { catalogue }) =>
      ok(Array.from(catalogue.services.values(), ({ id, name, iconSvg }) => ({ icon_svg: iconSvg, id, name }))),
  }),
];

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { companiesQuery } from '../../api/catalogue.ts';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import { serversQuery } from '../../api/servers.ts';
import { countryStatsQuery, listStatsQuery } from '../../api/statistics.ts';
import { useCompanyName } from '../../components/use-company-name.ts';
import { useCountryName } from '../../components/use-country-name.ts';
import { useListName } from '../../components/use-list-name.ts';
import { categories } from './categories.ts';
import { type LogSearch, periodOf } from './log-search.ts';
import { statuses } from './status-badge.tsx';
import type { FilterField, FilterOption, TypedFilter } from './typed-filters.ts';

export const filterFields = [
  'statuses',
  'servers',
  'devices',
  'clients',
  'categories',
  'countries',
  'companies',
  'lists',
] as const satisfies readonly FilterField[];

export type FilterOptions = Readonly<Record<FilterField, readonly FilterOption[]>>;

// English keys work in every language.
const keys: Readonly<Record<FilterField, string>> = {
  statuses: 'status',
  servers: 'profile',
  devices: 'device',
  clients: 'client',
  categories: 'category',
  countries: 'country',
  companies: 'company',
  lists: 'list',
};

/** Values of the filters with their names. Countries, companies and lists are requested only when needed. */
export function useFilterOptions(search: LogSearch, isNeeded: boolean): FilterOptions {
  const { t } = useTranslation('log');
  const { data: servers } = useQuery(serversQuery);
  const { data: devices } = useQuery(devicesQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const { data: countries } = useQuery({ ...countryStatsQuery({ period: periodOf(search) }), enabled: isNeeded });
  const { data: companies } = useQuery({ ...companiesQuery, enabled: isNeeded });
  const { data: lists } = useQuery({ ...listStatsQuery({ period: periodOf(search) }), enabled: isNeeded });
  const listName = useListName();
  const companyName = useCompanyName();
  const countryName = useCountryName();
  return useMemo(
    () => ({
      statuses: statuses.map((status) => ({ value: status, label: t(`statuses.${status}`) })),
      servers: toOptions(servers),
      devices: toOptions(devices),
      clients: (clients?.items ?? []).flatMap(({ name, addresses }) =>
        addresses.map((address) => ({ value: address, label: name === undefined ? address : `${name} (${address})` })),
      ),
      categories: categories.map((category) => ({ value: category, label: t(`categories.${category}`) })),
      countries: (countries ?? []).map(({ country }) => ({ value: country, label: countryName(country) })),
      companies: toOptions(companies?.map(({ id, name }) => ({ id, name: companyName(name) }))),
      lists: listIds(lists, search.lists).map((id) => ({ value: id, label: listName(id) })),
    }),
    [servers, devices, clients, countries, companies, lists, search.lists, listName, companyName, countryName, t],
  );
}

const withResponses = ({ value, label }: FilterOption): FilterOption => ({
  value: value.startsWith('REQUEST_') ? `${value},${value.replace('REQUEST', 'RESPONSE')}` : value,
  label,
});

/** Lists that have blocked something in the period, and those in the filter. */
const listIds = (lists: readonly { filter_id: string }[] = [], filter = ''): readonly string[] => [
  ...new Set([...lists.map(({ filter_id }) => filter_id), ...filter.split(',').filter((id) => id !== '')]),
];

const toOptions = (items: readonly { id: string; name: string }[] = []): readonly FilterOption[] =>
  items.map(({ id, name }) => ({ value: id, label: name }));

export function useTypedFilters(options: FilterOptions): readonly TypedFilter[] {
  const { t } = useTranslation('log');
  return useMemo(
    () =>
      filterFields
        // A public server has no network clients.
        .filter((field) => field !== 'clients' || options.clients.length > 0)
        .map((field) => ({
          field,
          keys: [...new Set([t(`filters.keys.${field}`), keys[field]])],
          options: field === 'statuses' ? options[field].map(withResponses) : options[field],
        })),
    [options, t],
  );
}

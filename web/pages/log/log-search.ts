import type { LogFilters } from '../../api/log.ts';
import { lastDay, type Period, parsePeriod } from '../../components/period.ts';

const lists = ['servers', 'devices', 'statuses', 'categories', 'countries', 'companies', 'clients', 'lists'] as const;
type List = (typeof lists)[number];

const fields = ['period', 'search', ...lists] as const;

/** Filters in the URL, so that links can be shared; lists are comma-separated. */
export type LogSearch = { readonly [field in (typeof fields)[number]]?: string };

export const readLogSearch = (search: Readonly<Record<string, unknown>>): LogSearch =>
  Object.fromEntries(
    fields
      .map((field) => [field, search[field]] as const)
      .filter(([, text]) => typeof text === 'string' && text !== ''),
  );

/** Search text that finds this domain only, not its subdomains. */
export const wholeDomain = (domain: string): string => `"${domain}"`;

const split = (text: string | undefined): readonly string[] => (text ?? '').split(',').filter((value) => value !== '');

export const filtersOf = (search: LogSearch): LogFilters => ({
  ...(Object.fromEntries(lists.map((list) => [list, split(search[list])])) as Record<List, readonly string[]>),
  search: search.search?.trim().toLowerCase(),
});

export const periodOf = ({ period }: { readonly period?: string | undefined }): Period =>
  parsePeriod(period) ?? lastDay;

const filterFields = ['search', ...lists] as const;

export const hasFilters = (search: LogSearch): boolean => filterFields.some((field) => search[field] !== undefined);
/** Removes all filters except the period. */
export const noFilters: LogSearch = Object.fromEntries(filterFields.map((field) => [field, '']));

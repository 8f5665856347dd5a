import { type Subject, subjects } from '../../api/statistics-rows.ts';
import { readScopeSearch, type ScopeSearch } from '../dashboard/scope-search.ts';

/** What the tables show, as it stands in the address. */
export type StatisticsSearch = ScopeSearch & { readonly by?: Subject; readonly compare?: 'yes' };

export const readStatisticsSearch = (search: Readonly<Record<string, unknown>>): StatisticsSearch => {
  const by = subjects.find((subject) => subject === search['by']);
  return {
    ...readScopeSearch(search),
    ...(by !== undefined && { by }),
    ...(search['compare'] === 'yes' && { compare: 'yes' as const }),
  };
};

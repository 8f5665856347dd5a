import { type Subject, subjects } from '../../api/statistics-rows.ts';
import { readScopeSearch, type ScopeSearch } from '../dashboard/scope-search.ts';

/** State of the statistics page in the URL. */
export type StatisticsSearch = ScopeSearch & { readonly by?: Subject; readonly compare?: 'yes' };

export const readStatisticsSearch = (search: Readonly<Record<string, unknown>>): StatisticsSearch => {
  const by = subjects.find((subject) => subject === search['by']);
  return {
    ...readScopeSearch(search),
    ...(by !== undefined && { by }),
    ...(search['compare'] === 'yes' && { compare: 'yes' as const }),
  };
};

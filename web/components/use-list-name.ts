import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { filterListsQuery } from '../api/catalogue.ts';
import { customListsQuery } from '../api/server-extensions.ts';

// Of the service itself, in no catalogue.
const builtIn = [
  'safe_browsing',
  'adult_blocking',
  'general_safe_search',
  'youtube_safe_search',
  'newly_registered_domains',
  'blocked_service',
] as const;
type BuiltIn = (typeof builtIn)[number];

const isBuiltIn = (id: string): id is BuiltIn => builtIn.some((known) => known === id);

/** What a list of names or rules is called; one that is gone has only its id left. */
export function useListName(): (id: string) => string {
  const { t } = useTranslation('common');
  const { data: catalogue = [] } = useQuery(filterListsQuery);
  const { data: own = [] } = useQuery(customListsQuery);
  const names = new Map([
    ...catalogue.map(({ filter_id, name }) => [filter_id, name] as const),
    ...own.map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(id) ?? (isBuiltIn(id) ? t(`lists.${id}`) : id);
}

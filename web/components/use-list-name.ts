import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { filterListsQuery } from '../api/catalogue.ts';
import { customListsQuery } from '../api/server-extensions.ts';

// Lists of the service itself, which are not in the catalogue.
const builtIn = [
  'custom',
  'safe_browsing',
  'adult_blocking',
  'general_safe_search',
  'youtube_safe_search',
  'newly_registered_domains',
  'typosquatting',
  'homoglyph',
  'blocked_service',
  'filtering_category',
] as const;
type BuiltIn = (typeof builtIn)[number];

const isBuiltIn = (id: string): id is BuiltIn => builtIn.some((builtInId) => builtInId === id);

/** Lists that the operator has configured have the kind and a hash of the source as their id: `adult:1c3f…`. */
const builtInOfKind: Readonly<Record<string, BuiltIn>> = {
  dangerous_domains: 'safe_browsing',
  adult: 'adult_blocking',
  newly_registered: 'newly_registered_domains',
  typosquatting: 'typosquatting',
  homoglyph: 'homoglyph',
};

const builtInOf = (id: string): BuiltIn | undefined =>
  isBuiltIn(id) ? id : id.includes(':') ? builtInOfKind[id.split(':')[0]!] : undefined;

/** Name of a filter list by id; deleted lists are shown by id. */
export function useListName(): (id: string) => string {
  const { t } = useTranslation('common');
  const { data: catalogue } = useQuery(filterListsQuery);
  const { data: customLists } = useQuery(customListsQuery);
  const names = useMemo(
    () =>
      new Map([
        ...(catalogue ?? []).map(({ filter_id, name }) => [filter_id, name] as const),
        ...(customLists ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [catalogue, customLists],
  );
  return useCallback(
    (id) => {
      const kind = builtInOf(id);
      return names.get(id) ?? (kind === undefined ? id : t(`lists.${kind}`));
    },
    [names, t],
  );
}

import type { FilterList, ListHealth } from '../../../api/wire.ts';

type EnabledList = { readonly filter_id: string; readonly enabled: boolean };

export type ListItem = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Undefined if the description is as the service sends it. */
  readonly descriptionLanguage?: string;
  readonly homepage: string | undefined;
  readonly category: FilterList['categories'][number]['category'];
  readonly tags: readonly string[];
  /** Size and time of the last version that the catalogue knows. */
  readonly rules: number | undefined;
  readonly updated: string | undefined;
  readonly health: ListHealth | undefined;
};

/** Lists of the catalogue, plus enabled lists that are no longer in it. */
export function toListItems(
  lists: readonly FilterList[],
  health: readonly ListHealth[],
  enabled: readonly EnabledList[],
): ListItem[] {
  const healthOf = new Map(health.map((entry) => [entry.filter_id, entry]));
  const catalogueIds = new Set(lists.map(({ filter_id }) => filter_id));
  const removed = enabled.filter(({ filter_id }) => !catalogueIds.has(filter_id));
  return [
    ...lists.map((list) => ({
      id: list.filter_id,
      name: list.name,
      description: list.description,
      homepage: list.homepage_url,
      category: list.categories[0]?.category ?? ('OTHER' as const),
      tags: list.tags,
      rules: list.rules_count,
      updated: list.time_updated,
      health: healthOf.get(list.filter_id),
    })),
    ...removed.map(({ filter_id: id }) => ({
      id,
      name: id,
      description: '',
      homepage: undefined,
      category: 'OTHER' as const,
      tags: [],
      rules: undefined,
      updated: undefined,
      health: undefined,
    })),
  ];
}

export type ListSearch = { readonly text: string; readonly category: ListItem['category'] | 'ALL' | 'CHOSEN' };

export function searchLists(
  lists: readonly ListItem[],
  isEnabled: (id: string) => boolean,
  search: ListSearch,
): ListItem[] {
  const text = search.text.trim().toLocaleLowerCase();
  return lists.filter(({ id, name, description, category, tags }) => {
    if (search.category === 'CHOSEN' ? !isEnabled(id) : search.category !== 'ALL' && search.category !== category)
      return false;
    return `${name} ${description} ${id} ${tags.join(' ')}`.toLocaleLowerCase().includes(text);
  });
}

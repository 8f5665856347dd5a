import type { FilterList, ListHealth } from '../../../api/wire.ts';

type Chosen = { readonly filter_id: string; readonly enabled: boolean };

export type Shown = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly homepage: string | undefined;
  readonly category: FilterList['categories'][number]['category'];
  readonly tags: readonly string[];
  readonly health: ListHealth | undefined;
};

/** The lists of the catalogue; and those that were chosen and that it has lost since. */
export function shownLists(
  lists: readonly FilterList[],
  health: readonly ListHealth[],
  chosen: readonly Chosen[],
): Shown[] {
  const healthOf = new Map(health.map((each) => [each.filter_id, each]));
  const known = new Set(lists.map(({ filter_id }) => filter_id));
  const lost = chosen.filter(({ filter_id }) => !known.has(filter_id));
  return [
    ...lists.map((list) => ({
      id: list.filter_id,
      name: list.name,
      description: list.description,
      homepage: list.homepage_url,
      category: list.categories[0]?.category ?? ('OTHER' as const),
      tags: list.tags,
      health: healthOf.get(list.filter_id),
    })),
    ...lost.map(({ filter_id: id }) => ({
      id,
      name: id,
      description: '',
      homepage: undefined,
      category: 'OTHER' as const,
      tags: [],
      health: undefined,
    })),
  ];
}

export type Wanted = { readonly text: string; readonly category: Shown['category'] | 'ALL' | 'CHOSEN' };

export function findLists(lists: readonly Shown[], isChosen: (id: string) => boolean, wanted: Wanted): Shown[] {
  const text = wanted.text.trim().toLocaleLowerCase();
  return lists.filter(({ id, name, description, category, tags }) => {
    if (wanted.category === 'CHOSEN' ? !isChosen(id) : wanted.category !== 'ALL' && wanted.category !== category)
      return false;
    return `${name} ${description} ${id} ${tags.join(' ')}`.toLocaleLowerCase().includes(text);
  });
}

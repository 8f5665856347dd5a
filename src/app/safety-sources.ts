import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import { type SafetySources, withLookAlikes } from '../filter-lists/list-request.ts';
import type { Settings } from '../settings/settings.ts';

type ListSettings = Pick<Settings, 'dangerousList' | 'adultList' | 'newDomainsList'>;

/** The URLs and files of the lists of each category. Throws if the catalogue lacks a list that a setting names. */
export const safetySources = (settings: ListSettings, { lists }: Pick<Catalogue, 'lists'>): SafetySources => {
  const sourcesOf = (setting: string, configured: readonly string[]): readonly string[] =>
    configured
      .filter((source) => source !== 'none')
      .map((source) => {
        const id = /^catalogue:(.*)$/.exec(source)?.[1];
        if (id === undefined) return source;
        const list = lists.get(id);
        if (!list) throw new Error(`${setting}: the catalogue has no list "${id}"`);
        return list.source;
      });
  return withLookAlikes({
    'dangerous domains': sourcesOf('dangerous-list', settings.dangerousList),
    adult: sourcesOf('adult-list', settings.adultList),
    'newly registered': sourcesOf('new-domains-list', settings.newDomainsList),
  });
};

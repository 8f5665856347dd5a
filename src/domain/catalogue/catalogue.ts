import { err, ok, type Result } from '../../kit/result.ts';
import { type FilterListEntry, filterListEntry, type WebServiceEntry, webServiceEntry } from './catalogue-entries.ts';
import { checkEntries } from './check-entries.ts';
import type { EntryError } from './entry-error.ts';
import { type FilterList, filterListFrom } from './filter-list.ts';
import { filterLists } from './filter-lists.ts';
import { type FilteringCategory, filteringCategories } from './filtering-category.ts';
import { type WebService, webServiceFrom, webServices } from './web-service.ts';

/** Filter lists, web services and filtering categories by id, in display order. */
export type Catalogue = {
  readonly lists: ReadonlyMap<string, FilterList>;
  readonly services: ReadonlyMap<string, WebService>;
  readonly categories: ReadonlyMap<string, FilteringCategory>;
};

/** Entries added by the operator, as parsed from a file. */
export type CatalogueAdditions = { readonly lists?: unknown; readonly services?: unknown };

/** An added entry replaces the built-in one with the same id, for example to use a mirror. */
export function openCatalogue({
  lists = [],
  services = [],
}: CatalogueAdditions = {}): Result<Catalogue, readonly EntryError[]> {
  const errors = [
    ...checkEntries(lists, 'lists', filterListEntry),
    ...checkEntries(services, 'services', webServiceEntry),
  ];
  if (errors.length > 0) return err(errors);
  const listsById = byId([...filterLists(), ...(lists as readonly FilterListEntry[]).map(filterListFrom)]);
  const servicesById = byId([...webServices(), ...(services as readonly WebServiceEntry[]).map(webServiceFrom)]);
  return ok({
    lists: listsById,
    services: servicesById,
    categories: byId(filteringCategories(servicesById.values(), listsById)),
  });
}

const byId = <T extends { readonly id: string }>(entries: readonly T[]): ReadonlyMap<string, T> =>
  new Map(entries.map((entry) => [entry.id, entry]));

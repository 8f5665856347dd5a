import type { FilterListEntry } from './catalogue-entries.ts';

export const filterListCategories = ['GENERAL', 'SECURITY', 'REGIONAL', 'OTHER'] as const;
export type FilterListCategory = (typeof filterListCategories)[number];

export const categoryDescriptions: Readonly<Record<FilterListCategory, string>> = {
  GENERAL: 'Lists against ads and tracking on all kinds of devices',
  SECURITY: 'Lists against malware, phishing and fraud',
  REGIONAL: 'Lists for sites of one language or country',
  OTHER: 'Lists for other purposes',
};

export type FilterList = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly homepage: string;
  /** URL of the list. */
  readonly source: string;
  /** An SPDX id, a description, or "unknown". */
  readonly licence: string;
  readonly category: FilterListCategory;
  /** `purpose:…` from the category, `lang:…` (ISO 639-1), and `problematic` for lists that may break legitimate sites. */
  readonly tags: readonly string[];
};

/** A built-in list; its file determines the category. */
export type KnownList = Omit<FilterList, 'category' | 'tags'> & {
  readonly languages?: readonly string[];
  readonly problematic?: true;
};

export function filterListFrom(entry: FilterListEntry): FilterList {
  const { id, name, source, category = 'OTHER', languages = [], problematic = false } = entry;
  return {
    id,
    name,
    description: entry.description ?? name,
    homepage: entry.homepage ?? source,
    source,
    licence: entry.licence ?? 'unknown',
    category,
    tags: [
      `purpose:${category.toLowerCase()}`,
      ...languages.map((language) => `lang:${language}`),
      ...(problematic ? ['problematic'] : []),
    ],
  };
}

import { type FilterList, type FilterListCategory, filterListFrom, type KnownList } from './filter-list.ts';
import { generalLists } from './general-lists.ts';
import { otherLists } from './other-lists.ts';
import { regionalLists } from './regional-lists.ts';
import { securityLists } from './security-lists.ts';

const listsByCategory: Readonly<Record<FilterListCategory, readonly KnownList[]>> = {
  GENERAL: generalLists,
  SECURITY: securityLists,
  REGIONAL: regionalLists,
  OTHER: otherLists,
};

/** The built-in filter lists. */
export const filterLists = (): readonly FilterList[] =>
  Object.entries(listsByCategory).flatMap(([category, lists]) =>
    lists.map((list) => filterListFrom({ ...list, category: category as FilterListCategory })),
  );

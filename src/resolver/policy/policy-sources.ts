import { listsOfCategory } from '../../domain/catalogue/filtering-category.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import type { ListTable } from '../../engine/list-table.ts';
import type { SourceName } from '../../engine/sources.ts';

/** Tables by topic; absent while they are not loaded. */
type SafetyTables = {
  readonly dangerous: readonly ListTable[];
  readonly adult: readonly ListTable[];
  readonly newlyRegistered: readonly ListTable[];
  readonly typosquatting: readonly ListTable[];
  readonly homoglyph: readonly ListTable[];
  readonly safeSearch: ListTable | undefined;
  readonly youtube: ListTable | undefined;
};

/** Providers of the tables. */
export type Makers = {
  readonly userTable: (rules: readonly string[]) => ListTable | undefined;
  /** Temporary user rules that have not expired; they apply even if the other user rules are disabled. */
  readonly temporaryRules: readonly string[];
  readonly tableOf: (listId: string) => ListTable | undefined;
  readonly serviceTable: (ids: readonly string[]) => ListTable | undefined;
  /** Domains of these categories; undefined for categories that consist of lists only. */
  readonly categoryTable: (ids: readonly string[]) => ListTable | undefined;
  readonly safety: () => SafetyTables;
};

/** Tables by list id, as in the query log; undefined while a table is not loaded. */
export type Wanted = readonly (readonly [id: string, table: ListTable | undefined])[];
export type Section = {
  readonly source: SourceName;
  readonly isParental: boolean;
  readonly tables: (settings: ProfileSettings, makers: Makers) => Wanted;
};

const only = (isOn: boolean, id: string, table: () => ListTable | undefined): Wanted => (isOn ? [[id, table()]] : []);
/** One per source that the operator configured; while none is loaded, one of them is reported as missing. */
const several = (isOn: boolean, id: string, tables: () => readonly ListTable[]): Wanted => {
  if (!isOn) return [];
  const there = tables();
  return there.length === 0 ? [[id, undefined]] : there.map((table) => [id, table]);
};
const enabledIds = (entries: ProfileSettings['filterLists']['lists']): readonly string[] =>
  entries.filter(({ enabled }) => enabled).map(({ id }) => id);

/** Each section of the settings with the tables it needs; a disabled section needs none. Precedence is defined by the engine. */
export const sections: readonly Section[] = [
  {
    source: 'user rules',
    isParental: false,
    tables: ({ userRules: { enabled, rules } }, { userTable, temporaryRules }) => [
      ...only(enabled && rules.length > 0, 'custom', () => userTable(rules)),
      ...only(temporaryRules.length > 0, 'custom', () => userTable(temporaryRules)),
    ],
  },
  {
    source: 'custom lists',
    isParental: false,
    tables: ({ own: { customLists } }, { tableOf }) => enabledIds(customLists).map((id) => [id, tableOf(id)]),
  },
  {
    source: 'filter lists',
    isParental: false,
    tables: ({ filterLists: { enabled, lists } }, { tableOf }) =>
      enabled ? enabledIds(lists).map((id) => [id, tableOf(id)]) : [],
  },
  {
    source: 'blocked services',
    isParental: true,
    tables: ({ parental: { enabled, blockedServices } }, { serviceTable }) => {
      const ids = enabledIds(blockedServices);
      return only(enabled && ids.length > 0, 'blocked_service', () => serviceTable(ids));
    },
  },
  {
    source: 'dangerous domains',
    isParental: false,
    tables: ({ safeBrowsing: { enabled, blockDangerousDomains } }, { safety }) =>
      several(enabled && blockDangerousDomains, 'safe_browsing', () => safety().dangerous),
  },
  {
    source: 'adult',
    isParental: true,
    tables: ({ parental: { enabled, blockAdult } }, { safety }) =>
      several(enabled && blockAdult, 'adult_blocking', () => safety().adult),
  },
  {
    source: 'filtering categories',
    isParental: true,
    tables: ({ parental: { enabled, blockedCategories } }, { categoryTable, tableOf }) => {
      const ids = enabled ? enabledIds(blockedCategories) : [];
      const domains = categoryTable(ids);
      return [
        ...only(domains !== undefined, 'filtering_category', () => domains),
        ...ids.flatMap(listsOfCategory).map((id) => [id, tableOf(id)] as const),
      ];
    },
  },
  {
    source: 'safe search',
    isParental: true,
    tables: ({ parental: { enabled, safeSearch } }, { safety }) =>
      only(enabled && safeSearch, 'general_safe_search', () => safety().safeSearch),
  },
  {
    source: 'youtube',
    isParental: true,
    tables: ({ parental: { enabled, youtubeSafeSearch } }, { safety }) =>
      only(enabled && youtubeSafeSearch, 'youtube_safe_search', () => safety().youtube),
  },
  {
    source: 'newly registered',
    isParental: false,
    tables: ({ safeBrowsing: { enabled, blockNewlyRegistered } }, { safety }) =>
      several(enabled && blockNewlyRegistered, 'newly_registered_domains', () => safety().newlyRegistered),
  },
  {
    source: 'typosquatting',
    isParental: false,
    tables: ({ safeBrowsing: { enabled, typosquattingProtection } }, { safety }) =>
      several(enabled && typosquattingProtection, 'typosquatting', () => safety().typosquatting),
  },
  {
    source: 'homoglyph',
    isParental: false,
    tables: ({ safeBrowsing: { enabled, homoglyphProtection } }, { safety }) =>
      several(enabled && homoglyphProtection, 'homoglyph', () => safety().homoglyph),
  },
];

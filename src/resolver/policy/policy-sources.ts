import type { ProfileSettings } from '../../domain/profile.ts';
import type { ListTable } from '../../engine/list-table.ts';
import type { SourceName } from '../../engine/sources.ts';

/** Tables that are there or not yet, by what they are about. */
type SafetyTables = {
  readonly dangerous: readonly ListTable[];
  readonly adult: readonly ListTable[];
  readonly newlyRegistered: readonly ListTable[];
  readonly safeSearch: ListTable | undefined;
  readonly youtube: ListTable | undefined;
};

/** Where tables come from. */
export type Makers = {
  readonly userTable: (rules: readonly string[]) => ListTable | undefined;
  /** Of the user's, those that hold at this moment; also where his others are switched off. */
  readonly temporaryRules: readonly string[];
  readonly tableOf: (listId: string) => ListTable | undefined;
  readonly serviceTable: (ids: readonly string[]) => ListTable | undefined;
  readonly safety: () => SafetyTables;
};

/** By the id that the log shows; without a table where there is none yet. */
export type Wanted = readonly (readonly [id: string, table: ListTable | undefined])[];
export type Section = {
  readonly source: SourceName;
  readonly isParental: boolean;
  readonly tables: (settings: ProfileSettings, makers: Makers) => Wanted;
};

const only = (isOn: boolean, id: string, table: () => ListTable | undefined): Wanted => (isOn ? [[id, table()]] : []);
/** As many as the operator has sources of the kind; if none is there yet, one is missing. */
const several = (isOn: boolean, id: string, tables: () => readonly ListTable[]): Wanted => {
  if (!isOn) return [];
  const there = tables();
  return there.length === 0 ? [[id, undefined]] : there.map((table) => [id, table]);
};
const enabledIds = (entries: ProfileSettings['filterLists']['lists']): readonly string[] =>
  entries.filter(({ enabled }) => enabled).map(({ id }) => id);

/** Each part of the settings and what it needs; a part whose switch is off needs nothing. The engine knows their order. */
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
];

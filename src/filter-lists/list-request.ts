import { createHash } from 'node:crypto';
import type { Configuration } from '../compiler/configuration.ts';
import type { FilterList } from '../domain/catalogue/filter-list.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import type { SourceName } from '../engine/sources.ts';
import { builtInRules } from './built-in-list.ts';

/** A list that somebody uses. */
export type WantedList = {
  /** Of no two lists the same, whoever brought them. */
  readonly id: string;
  /** Where it is downloaded from; a list of the operator may also be a file, by its path or its file: URL. */
  readonly source: string;
  /** Who named the source. Only the operator can name files of this machine. */
  readonly namedBy: 'operator' | 'account';
  /** The account that has brought it; accounts share the downloads fairly. */
  readonly account?: string | undefined;
  /** Rules to use until the source was downloaded for the first time. */
  readonly builtIn?: string | undefined;
  /** What it is made of, where that is not one address; then the source is a name for it that changes with it. */
  readonly given?: GivenList | undefined;
};

type GivenList =
  | { readonly kind: 'rules'; readonly rules: string }
  | { readonly kind: 'configuration'; readonly configuration: Configuration };

export const safetyKinds = ['dangerous domains', 'adult', 'newly registered'] as const satisfies readonly SourceName[];
export type SafetyKind = (typeof safetyKinds)[number];

/** For each kind the URLs and files that the operator has configured. */
export type SafetySources = Readonly<Record<SafetyKind, readonly string[]>>;

export type InUse = { readonly filterLists: ReadonlySet<string>; readonly safety: ReadonlySet<SafetyKind> };

/**
 * What profiles have chosen. A section that is switched off counts like the others: when it is switched on again, the
 * next query must meet its lists.
 */
export function listsInUse(profiles: Iterable<ProfileSettings>): InUse {
  const filterLists = new Set<string>();
  const safety = new Set<SafetyKind>();
  for (const profile of profiles) {
    for (const { id, enabled } of profile.filterLists.lists) if (enabled) filterLists.add(id);
    for (const kind of safetyKinds) if (chooses[kind](profile)) safety.add(kind);
  }
  return { filterLists, safety };
}

const chooses: Readonly<Record<SafetyKind, (profile: ProfileSettings) => boolean>> = {
  'dangerous domains': ({ safeBrowsing }) => safeBrowsing.blockDangerousDomains,
  adult: ({ parental }) => parental.blockAdult,
  'newly registered': ({ safeBrowsing }) => safeBrowsing.blockNewlyRegistered,
};

type Known = {
  readonly catalogue: ReadonlyMap<string, Pick<FilterList, 'id' | 'source'>>;
  readonly safety: SafetySources;
  readonly custom: Iterable<WantedList>;
};

/** The lists to keep. A list that the catalogue no longer knows is nobody's. */
export function wantedLists({ filterLists, safety }: InUse, known: Known): WantedList[] {
  return [
    ...[...filterLists]
      .map((id) => known.catalogue.get(id))
      .filter((list) => list !== undefined)
      .map(({ id, source }) => ({ id, source, namedBy: 'operator' as const, ...withBuiltIn(builtInRules(id)) })),
    ...safetyKinds
      .filter((kind) => safety.has(kind))
      .flatMap((kind) =>
        known.safety[kind].map((source) => ({
          id: safetyListId(kind, source),
          source,
          namedBy: 'operator' as const,
        })),
      ),
    ...known.custom,
  ];
}

const withBuiltIn = (builtIn: string | undefined) => (builtIn === undefined ? {} : { builtIn });

/** Each source of a kind is a list of its own: one that cannot be had leaves the others as fresh as they can be. */
export const safetyListId = (kind: SafetyKind, source: string): string =>
  `${kind.replaceAll(' ', '_')}:${createHash('sha256').update(source).digest('hex').slice(0, 12)}`;

export const isSafetyList = (id: string): boolean =>
  safetyKinds.some((kind) => id.startsWith(`${kind.replaceAll(' ', '_')}:`));

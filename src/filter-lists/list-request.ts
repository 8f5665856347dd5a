import { createHash } from 'node:crypto';
import type { Configuration } from '../compiler/configuration.ts';
import type { FilterList } from '../domain/catalogue/filter-list.ts';
import { listsOfCategory } from '../domain/catalogue/filtering-category.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import type { SourceName } from '../engine/sources.ts';
import { builtInRules } from './built-in-list.ts';
import type { LookAlikeKind } from './look-alikes/look-alike-rules.ts';

/** A list in use. */
export type WantedList = {
  /** Unique among all lists of all owners. */
  readonly id: string;
  /** Download URL; a list of the operator may also be a file, by path or file: URL. */
  readonly source: string;
  /** Only the operator can name local files. */
  readonly namedBy: 'operator' | 'account';
  /** The owner of a custom list; accounts share the downloads fairly. */
  readonly account?: string | undefined;
  /** Rules to use until the source was downloaded for the first time. */
  readonly builtIn?: string | undefined;
  /** The content of a list without a URL; `source` then changes with it. */
  readonly given?: GivenList | undefined;
};

type GivenList =
  | { readonly kind: 'rules'; readonly rules: string }
  | { readonly kind: 'configuration'; readonly configuration: Configuration }
  | { readonly kind: 'look-alikes'; readonly of: LookAlikeKind };

export const safetyKinds = [
  'dangerous domains',
  'adult',
  'newly registered',
  'typosquatting',
  'homoglyph',
] as const satisfies readonly SourceName[];
export type SafetyKind = (typeof safetyKinds)[number];

/** URLs and files that the operator has configured, by category. */
export type ConfiguredSources = Readonly<Record<Exclude<SafetyKind, LookAlikeKind>, readonly string[]>>;
export type SafetySources = Readonly<Record<SafetyKind, readonly string[]>>;

/** Raise the number when the rules of the program change: saved tables are then built again. */
const LOOK_ALIKES_VERSION = 1;
const lookAlikeSource = (kind: LookAlikeKind): string => `${kind} ${LOOK_ALIKES_VERSION}`;

/** The program generates the lists of look-alikes. */
export const withLookAlikes = (configured: ConfiguredSources): SafetySources => ({
  ...configured,
  typosquatting: [lookAlikeSource('typosquatting')],
  homoglyph: [lookAlikeSource('homoglyph')],
});

const givenFor = (kind: SafetyKind): Pick<WantedList, 'given'> =>
  kind === 'typosquatting' || kind === 'homoglyph' ? { given: { kind: 'look-alikes', of: kind } } : {};

export type InUse = { readonly filterLists: ReadonlySet<string>; readonly safety: ReadonlySet<SafetyKind> };

/** Lists selected by profiles. Disabled sections count too: when one is enabled, the next query must find its lists. */
export function listsInUse(profiles: Iterable<ProfileSettings>): InUse {
  const filterLists = new Set<string>();
  const safety = new Set<SafetyKind>();
  for (const profile of profiles) {
    for (const { id, enabled } of profile.filterLists.lists) if (enabled) filterLists.add(id);
    for (const { id, enabled } of profile.parental.blockedCategories)
      if (enabled) for (const list of listsOfCategory(id)) filterLists.add(list);
    for (const kind of safetyKinds) if (chooses[kind](profile)) safety.add(kind);
  }
  return { filterLists, safety };
}

const chooses: Readonly<Record<SafetyKind, (profile: ProfileSettings) => boolean>> = {
  'dangerous domains': ({ safeBrowsing }) => safeBrowsing.blockDangerousDomains,
  adult: ({ parental }) => parental.blockAdult,
  'newly registered': ({ safeBrowsing }) => safeBrowsing.blockNewlyRegistered,
  typosquatting: ({ safeBrowsing }) => safeBrowsing.typosquattingProtection,
  homoglyph: ({ safeBrowsing }) => safeBrowsing.homoglyphProtection,
};

type Known = {
  readonly catalogue: ReadonlyMap<string, Pick<FilterList, 'id' | 'source'>>;
  readonly safety: SafetySources;
  readonly custom: Iterable<WantedList>;
};

/** The lists to load. Lists that the catalogue no longer contains are ignored. */
export function wantedLists({ filterLists, safety }: InUse, available: Known): WantedList[] {
  return [
    ...[...filterLists]
      .map((id) => available.catalogue.get(id))
      .filter((list) => list !== undefined)
      .map(({ id, source }) => ({ id, source, namedBy: 'operator' as const, ...withBuiltIn(builtInRules(id)) })),
    ...safetyKinds
      .filter((kind) => safety.has(kind))
      .flatMap((kind) =>
        available.safety[kind].map((source) => ({
          id: safetyListId(kind, source),
          source,
          namedBy: 'operator' as const,
          ...givenFor(kind),
        })),
      ),
    ...available.custom,
  ];
}

const withBuiltIn = (builtIn: string | undefined) => (builtIn === undefined ? {} : { builtIn });

/** Each source of a category is a separate list: a failed one does not affect the others. */
export const safetyListId = (kind: SafetyKind, source: string): string =>
  `${kind.replaceAll(' ', '_')}:${createHash('sha256').update(source).digest('hex').slice(0, 12)}`;

export const isSafetyList = (id: string): boolean =>
  safetyKinds.some((kind) => id.startsWith(`${kind.replaceAll(' ', '_')}:`));

import i18next from 'i18next';

// Sources of rules as the service names them.
const sourceKeys = {
  'user rules': 'servers:sources.userRules',
  'custom lists': 'servers:sources.customLists',
  'filter lists': 'servers:sources.filterLists',
  'blocked services': 'servers:sources.blockedServices',
  'dangerous domains': 'servers:sources.dangerous',
  adult: 'servers:sources.adult',
  'filtering categories': 'servers:sources.filteringCategories',
  'safe search': 'servers:sources.safeSearch',
  youtube: 'servers:sources.youtube',
  'newly registered': 'servers:sources.newlyRegistered',
  typosquatting: 'servers:sources.typosquatting',
  homoglyph: 'servers:sources.homoglyph',
} as const;

const isKnown = (source: string): source is keyof typeof sourceKeys => Object.hasOwn(sourceKeys, source);

/** A source of rules in the language of the page; unknown sources are returned unchanged. */
export const sourceText = (source: string): string => (isKnown(source) ? i18next.t(sourceKeys[source]) : source);

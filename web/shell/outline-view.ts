import { isActive, navigationGroups } from './navigation-groups.ts';

/** Texts of the outline by their keys in the locale files. */
export type OutlineTexts = Readonly<Record<string, string>>;

/**
 * The keys whose texts the build puts into the document.
 * @buildonly
 */
export const outlineKeys: readonly string[] = [
  ...navigationGroups.flat().map(({ label }) => `shell:${label}`),
  'signIn:title',
  'signIn:email',
  'signIn:password',
  'setUp:title',
  'join:title',
];

export type OutlineView =
  /** One card with fields, for pages without a session. */
  | { readonly kind: 'card'; readonly title: string; readonly fields: readonly string[] }
  /** The navigation, and the title of the page if it is one of its entries. */
  | { readonly kind: 'page'; readonly title: string | undefined; readonly groups: readonly (readonly Entry[])[] };

type Entry = { readonly text: string; readonly isActive: boolean };

const cards: Readonly<Record<string, string>> = {
  '/sign-in': 'signIn:title',
  '/set-up': 'setUp:title',
  '/join': 'join:title',
};

/** The parts of a page that are shown before its scripts are loaded. */
export function outlineOf(path: string, hasSession: boolean, texts: OutlineTexts): OutlineView | undefined {
  const card = cards[path] ?? (hasSession ? undefined : 'signIn:title');
  // Without a session the compiler's page may be open or not.
  if (path.startsWith('/compiler') && !hasSession) return undefined;
  if (card !== undefined)
    return { kind: 'card', title: texts[card]!, fields: [texts['signIn:email']!, texts['signIn:password']!] };
  const groups = navigationGroups.map((items) =>
    items.map(({ to, label }) => ({ text: texts[`shell:${label}`]!, isActive: isActive(path, to) })),
  );
  const current = navigationGroups.flat().find(({ to }) => to.replace('/{-$section}', '') === path);
  return { kind: 'page', title: current && texts[`shell:${current.label}`]!, groups };
}

/** Chunk of the page at a path, by the names that the build gives to chunks; undefined below the pages of the navigation. */
export const pageChunkOf = (path: string): string | undefined =>
  /^\/[\w-]*$/.test(path) ? `${path.slice(1) || 'dashboard'}-page` : undefined;

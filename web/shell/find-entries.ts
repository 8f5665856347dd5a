/** Something that the search leads to. */
export type Entry = {
  readonly id: string;
  readonly kind: 'page' | 'device' | 'profile' | 'section' | 'domain';
  readonly label: string;
  /** Shown beside the label; searched too. */
  readonly detail?: string | undefined;
  /** Other names of it; not shown. */
  readonly words?: string;
  /** Searched from its beginning only: the middle of a random identifier may be any word. */
  readonly identifier?: string;
  readonly href: string;
};

const MAX_ENTRIES = 12;
const IDENTIFIER_RANK = 3;

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** Lower is better; undefined if the words do not occur. */
function rankOf(entry: Entry, words: readonly string[]): number | undefined {
  const { label, detail = '', words: others = '', identifier } = entry;
  const [name, all] = [fold(label), fold(`${label} ${detail} ${others}`)];
  const [first = ''] = words;
  if (!words.every((word) => all.includes(word)))
    return words.length === 1 && identifier?.startsWith(first) ? IDENTIFIER_RANK : undefined;
  if (name.startsWith(first)) return 0;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)) ? 1 : 2;
}

/** Entries that contain all words, best first. */
export function findEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(({ kind }) => kind === 'page');
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry, words);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry);
}

/** Text that a domain may contain, as the log searches it. */
export const isDomainLike = (query: string): boolean => /^[^\s/]{3,}$/.test(query.trim());

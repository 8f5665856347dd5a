/** Something that the search leads to. */
export type Entry = {
  readonly id: string;
  readonly kind: 'page' | 'device' | 'profile' | 'section' | 'domain';
  readonly label: string;
  /** Shown beside the label; searched too. */
  readonly detail?: string | undefined;
  /** Other names of it; not shown. */
  readonly words?: string;
  readonly href: string;
};

const MAX_ENTRIES = 12;

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** Lower is better; undefined if the words do not occur. */
function rankOf({ label, detail = '', words: others = '' }: Entry, words: readonly string[]): number | undefined {
  const [name, all] = [fold(label), fold(`${label} ${detail} ${others}`)];
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ''] = words;
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

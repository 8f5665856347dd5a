import type { LogSearch } from './log-search.ts';

export type FilterField = Exclude<keyof LogSearch, 'period' | 'search'>;

export type FilterOption = { readonly value: string; readonly label: string };

/** A filter that can be typed as `key:value` or `key:"a longer value"`. */
export type TypedFilter = {
  readonly field: FilterField;
  /** The first one is suggested. */
  readonly keys: readonly string[];
  readonly options: readonly FilterOption[];
};

export type Typed = {
  /** The text without filters. */
  readonly text: string;
  readonly found: readonly { readonly field: FilterField; readonly values: readonly string[] }[];
  /** Filters that match nothing. */
  readonly unknown: readonly string[];
};

const MAX_SUGGESTIONS = 8;
const word = /([\p{L}]+):(?:"([^"]*)"?|(\S+))/gu;

const fold = (text: string): string => text.toLocaleLowerCase();

/** All options with the value as their label; otherwise all that contain it. */
function matching(options: readonly FilterOption[], value: string): readonly FilterOption[] {
  const exact = options.filter(({ label }) => fold(label) === fold(value));
  return exact.length > 0 ? exact : options.filter(({ label }) => fold(label).includes(fold(value)));
}

const filterOf = (filters: readonly TypedFilter[], key: string): TypedFilter | undefined =>
  filters.find(({ keys }) => keys.includes(fold(key)));

/** Separates `key:value` filters from the searched text. Words with an unknown key stay text. */
export function readTyped(typed: string, filters: readonly TypedFilter[]): Typed {
  const found: Typed['found'][number][] = [];
  const unknown: string[] = [];
  const text = typed.replace(word, (match: string, key: string, quoted?: string, bare?: string) => {
    const filter = filterOf(filters, key);
    if (!filter) return match;
    const values = matching(filter.options, quoted ?? bare ?? '').map(({ value }) => value);
    if (values.length === 0) unknown.push(match);
    else found.push({ field: filter.field, values });
    return values.length === 0 ? match : '';
  });
  return { text: text.replaceAll(/\s+/g, ' ').trim(), found, unknown };
}

/** Completions of the last word: keys, or values of its key. */
export function suggestionsFor(typed: string, filters: readonly TypedFilter[]): readonly string[] {
  const open = typed.search(/[\p{L}]+:"[^"]*$/u);
  const start = open >= 0 ? open : typed.lastIndexOf(' ') + 1;
  const [before, last] = [typed.slice(0, start), typed.slice(start)];
  const [, key, value = ''] = /^([\p{L}]+):"?([^"]*)$/u.exec(last) ?? [];
  if (last === '') return [];
  if (key === undefined)
    return filters
      .filter(({ keys: [name = ''] }) => name.startsWith(fold(last)))
      .map(({ keys: [name = ''] }) => `${before}${name}:`);
  const filter = filterOf(filters, key);
  const options = filter?.options.filter(({ label }) => fold(label).includes(fold(value))) ?? [];
  return [...new Set(options.slice(0, MAX_SUGGESTIONS).map(({ label }) => `${before}${key}:${quoted(label)}`))];
}

const quoted = (label: string): string => (/\s/.test(label) ? `"${label}"` : label);

import { Autocomplete, CloseButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filtersOf, type LogSearch } from './log-search.ts';
import { readTyped, suggestionsFor, type TypedFilter } from './typed-filters.ts';

type Props = {
  readonly search: LogSearch;
  readonly filters: readonly TypedFilter[];
  readonly onChange: (change: LogSearch, how?: 'typing') => void;
  /** The values of all filters are needed for suggestions. */
  readonly onFocus: () => void;
};

const TYPING_MS = 300;

/** Searches domains while typing. `device:name` and other filters are applied after a space or Enter, or when chosen. */
export function LogSearchBox({ search, filters, onChange, onFocus }: Props) {
  const { t } = useTranslation('log');
  const current = search.search ?? '';
  const [typed, setTyped] = useState(current);
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const notifyChange = useDebouncedCallback((text: string) => onChange({ search: text }, 'typing'), TYPING_MS);
  // The URL may change without typing, for example with the back button.
  useEffect(() => setTyped(current), [current]);
  const apply = (text: string): void => {
    const { text: rest, found, unknown } = readTyped(text, filters);
    const selected = filtersOf(search);
    const changes = found.map(({ field, values }) => [field, [...new Set([...selected[field], ...values])].join(',')]);
    notifyChange.cancel();
    setTyped(rest);
    setUnknown(unknown);
    onChange({ ...Object.fromEntries(changes), search: unknown.length > 0 ? '' : rest });
  };
  const isComplete = (text: string): boolean =>
    text.endsWith(' ') && (text.match(/"/g)?.length ?? 0) % 2 === 0 && readTyped(text, filters).found.length > 0;
  const applyComplete = useEffectEvent(() => {
    if (isComplete(typed)) apply(typed);
  });
  // The names may load after they were typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only names that loaded are a reason
  useEffect(() => applyComplete(), [filters]);
  const change = (text: string): void => {
    setTyped(text);
    setUnknown([]);
    const { found, unknown } = readTyped(text, filters);
    if (isComplete(text)) apply(text);
    else if (found.length === 0 && unknown.length === 0 && !text.endsWith(':')) notifyChange(text.trim());
  };
  return (
    <Autocomplete
      type="search"
      flex={1}
      miw={110}
      styles={{ input: { textOverflow: 'ellipsis' } }}
      maxLength={255}
      aria-label={t('search')}
      placeholder={t('searchHint')}
      leftSection={<IconSearch size={16} />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => apply('')} />}
      error={unknown.length > 0 && t('filters.unknown', { filters: unknown.join(' ') })}
      data={[...suggestionsFor(typed, filters)]}
      filter={({ options }) => options}
      value={typed}
      onFocus={onFocus}
      onChange={change}
      onOptionSubmit={(text) => (text.endsWith(':') ? setTyped(text) : apply(text))}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.defaultPrevented) apply(typed);
      }}
    />
  );
}

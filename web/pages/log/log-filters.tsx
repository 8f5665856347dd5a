import { Button, Collapse, Group, MultiSelect, SimpleGrid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { periodText } from '../../components/period.ts';
import { PeriodPicker } from '../../components/period-picker.tsx';
import { FilterChips } from './filter-chips.tsx';
import { filtersOf, type LogSearch, periodOf } from './log-search.ts';
import { LogSearchBox } from './log-search-box.tsx';
import type { FilterOption } from './typed-filters.ts';
import { type FilterOptions, filterFields, useFilterOptions, useTypedFilters } from './use-filter-options.ts';

type Props = {
  readonly search: LogSearch;
  readonly onChange: (change: LogSearch, how?: 'typing') => void;
};

/** Options beyond these are found by typing: thousands would slow the page down. */
const MAX_OPTIONS = 50;

export function LogFilters({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const [isOpen, more] = useDisclosure(false);
  const [isTyping, typing] = useDisclosure(false);
  const isFilteredByName = [search.companies, search.countries, search.lists].some((ids) => ids !== undefined);
  const options = useFilterOptions(search, isOpen || isTyping || isFilteredByName);
  const typedFilters = useTypedFilters(options);
  const id = useId();
  return (
    <>
      <Group gap="xs" mb="xs" align="flex-start">
        <LogSearchBox search={search} filters={typedFilters} onChange={onChange} onFocus={typing.open} />
        <PeriodPicker period={periodOf(search)} onChange={(period) => onChange({ period: periodText(period) })} />
        <Button
          variant="default"
          px={{ base: 'xs', sm: 'md' }}
          aria-label={t('filters.more')}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={more.toggle}
        >
          <IconAdjustmentsHorizontal size={17} stroke={1.6} aria-hidden />
          <Text span inherit visibleFrom="sm" ms="xs">
            {t('filters.more')}
          </Text>
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <MoreFilters search={search} options={options} onChange={onChange} />}
      </Collapse>
      <FilterChips search={search} options={options} onChange={onChange} />
    </>
  );
}

function MoreFilters({ search, options, onChange }: Props & { readonly options: FilterOptions }) {
  const { t } = useTranslation('log');
  const filters = filtersOf(search);
  // A public server has no network clients.
  const shown = filterFields.filter(
    (field) => field !== 'clients' || options.clients.length + filters.clients.length > 0,
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mb="sm">
      {shown.map((field) => (
        <MultiSelect
          key={field}
          clearable
          size="sm"
          searchable
          limit={MAX_OPTIONS}
          label={t(`filters.${field}`)}
          data={withSelected(options[field], filters[field])}
          value={[...filters[field]]}
          onChange={(values) => onChange({ [field]: values.join(',') })}
          nothingFoundMessage={t('filters.none')}
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
        />
      ))}
    </SimpleGrid>
  );
}

/** Adds selected values without an option, such as deleted devices; otherwise they could not be deselected. */
const withSelected = (options: readonly FilterOption[], selected: readonly string[]): FilterOption[] => [
  ...options,
  ...selected
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value })),
];

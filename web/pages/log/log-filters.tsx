import { Button, Collapse, Group, MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import { countryStatsQuery } from '../../api/statistics.ts';
import { periodText } from '../../components/period.ts';
import { PeriodPicker } from '../../components/period-picker.tsx';
import { useCountryName } from '../../components/use-country-name.ts';
import { categories } from './categories.ts';
import { filtersOf, type LogSearch, periodOf } from './log-search.ts';
import { statuses } from './status-badge.tsx';

type Props = {
  readonly search: LogSearch;
  readonly onChange: (change: LogSearch, how?: 'typing') => void;
};

const TYPING_MS = 300;
const lists = ['statuses', 'servers', 'devices', 'categories', 'countries', 'companies'] as const;

export function LogFilters({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const [isOpen, more] = useDisclosure(lists.some((list) => search[list] !== undefined));
  const id = useId();
  const count = lists.filter((list) => search[list] !== undefined).length;
  return (
    <>
      <Group gap="xs" mb="sm" align="flex-end">
        <NameSearch search={search} onChange={onChange} />
        <PeriodPicker period={periodOf(search)} onChange={(period) => onChange({ period: periodText(period) })} />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.6} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={more.toggle}
        >
          {count === 0 ? t('filters.more') : t('filters.moreSet', { count })}
        </Button>
        {count > 0 && (
          <Button
            variant="subtle"
            onClick={() => onChange(Object.fromEntries(lists.map((list) => [list, ''])) as LogSearch)}
          >
            {t('filters.clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <MoreFilters search={search} onChange={onChange} />}
      </Collapse>
    </>
  );
}

function NameSearch({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const wanted = search.search ?? '';
  const [typed, setTyped] = useState(wanted);
  const tell = useDebouncedCallback((text: string) => onChange({ search: text.trim() }, 'typing'), TYPING_MS);
  // Another address, as by the button that goes back, has another text.
  useEffect(() => setTyped(wanted), [wanted]);
  return (
    <TextInput
      type="search"
      flex={1}
      miw={180}
      maxLength={255}
      aria-label={t('search')}
      placeholder={t('search')}
      leftSection={<IconSearch size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}

function MoreFilters({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const { data: servers = [] } = useQuery(serversQuery);
  const { data: devices = [] } = useQuery(devicesQuery);
  const { data: countries = [] } = useQuery(countryStatsQuery({ period: periodOf(search) }));
  const countryName = useCountryName();
  const filters = filtersOf(search);
  const named = (things: readonly { id: string; name: string }[]) =>
    things.map(({ id, name }) => ({ value: id, label: name }));
  const offered = {
    statuses: statuses.map((status) => ({ value: status, label: t(`statuses.${status}`) })),
    servers: named(servers),
    devices: named(devices),
    categories: categories.map((category) => ({ value: category, label: t(`categories.${category}`) })),
    countries: countries.map(({ country }) => ({ value: country, label: countryName(country) })),
  };
  const both = { clearable: true, size: 'sm' } as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mb="sm">
      {(['statuses', 'servers', 'devices', 'categories', 'countries'] as const).map((list) => (
        <MultiSelect
          key={list}
          {...both}
          searchable
          label={t(`filters.${list}`)}
          data={withChosen(offered[list], filters[list])}
          value={[...filters[list]]}
          onChange={(values) => onChange({ [list]: values.join(',') })}
          nothingFoundMessage={t('filters.none')}
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
        />
      ))}
      <TagsInput
        {...both}
        label={t('filters.companies')}
        value={[...filters.companies]}
        onChange={(values) => onChange({ companies: values.join(',') })}
        clearButtonProps={{ 'aria-label': t('filters.clear') }}
      />
    </SimpleGrid>
  );
}

type Choice = { readonly value: string; readonly label: string };

/** What is chosen and not offered, as a device that is gone, is shown all the same: otherwise nobody could take it away. */
const withChosen = (offered: readonly Choice[], chosen: readonly string[]): Choice[] => [
  ...offered,
  ...chosen
    .filter((value) => !offered.some((choice) => choice.value === value))
    .map((value) => ({ value, label: value })),
];

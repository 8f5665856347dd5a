import { Button, Collapse, Group, MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
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
const lists = ['statuses', 'servers', 'devices', 'clients', 'categories', 'countries', 'companies'] as const;
const selects = ['statuses', 'servers', 'devices', 'clients', 'categories', 'countries'] as const;

export function LogFilters({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const [isOpen, more] = useDisclosure(lists.some((list) => search[list] !== undefined));
  const id = useId();
  const count = lists.filter((list) => search[list] !== undefined).length;
  return (
    <>
      <Group gap="xs" mb="sm" align="flex-end">
        <DomainSearch search={search} onChange={onChange} />
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

function DomainSearch({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const current = search.search ?? '';
  const [typed, setTyped] = useState(current);
  const notifyChange = useDebouncedCallback((text: string) => onChange({ search: text.trim() }, 'typing'), TYPING_MS);
  // The URL may change without typing, for example with the back button.
  useEffect(() => setTyped(current), [current]);
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
        notifyChange(event.currentTarget.value);
      }}
    />
  );
}

function MoreFilters({ search, onChange }: Props) {
  const { t } = useTranslation('log');
  const { data: servers = [] } = useQuery(serversQuery);
  const { data: devices = [] } = useQuery(devicesQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const { data: countries = [] } = useQuery(countryStatsQuery({ period: periodOf(search) }));
  const countryName = useCountryName();
  const filters = filtersOf(search);
  const toOptions = (items: readonly { id: string; name: string }[]) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  const options = {
    statuses: statuses.map((status) => ({ value: status, label: t(`statuses.${status}`) })),
    servers: toOptions(servers),
    devices: toOptions(devices),
    clients: (clients?.items ?? []).flatMap(({ name, addresses }) =>
      addresses.map((address) => ({ value: address, label: name === undefined ? address : `${name} (${address})` })),
    ),
    categories: categories.map((category) => ({ value: category, label: t(`categories.${category}`) })),
    countries: countries.map(({ country }) => ({ value: country, label: countryName(country) })),
  };
  // A public server has no network clients.
  const shown = selects.filter((list) => list !== 'clients' || options.clients.length + filters.clients.length > 0);
  const shared = { clearable: true, size: 'sm' } as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mb="sm">
      {shown.map((list) => (
        <MultiSelect
          key={list}
          {...shared}
          searchable
          label={t(`filters.${list}`)}
          data={withSelected(options[list], filters[list])}
          value={[...filters[list]]}
          onChange={(values) => onChange({ [list]: values.join(',') })}
          nothingFoundMessage={t('filters.none')}
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
        />
      ))}
      <TagsInput
        {...shared}
        label={t('filters.companies')}
        value={[...filters.companies]}
        onChange={(values) => onChange({ companies: values.join(',') })}
        clearButtonProps={{ 'aria-label': t('filters.clear') }}
      />
    </SimpleGrid>
  );
}

type Choice = { readonly value: string; readonly label: string };

/** Adds selected values without an option, such as deleted devices; otherwise they could not be deselected. */
const withSelected = (options: readonly Choice[], selected: readonly string[]): Choice[] => [
  ...options,
  ...selected
    .filter((value) => !options.some((choice) => choice.value === value))
    .map((value) => ({ value, label: value })),
];

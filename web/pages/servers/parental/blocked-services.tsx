import { Checkbox, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { webServicesQuery } from '../../../api/catalogue.ts';
import type { WebService } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { toggleEntry } from '../draft/toggle-entry.ts';
import { useEditor } from '../draft/use-editor.ts';
import classes from './parental.module.css';
import { ServiceIcon } from './service-icon.tsx';

export function BlockedServices() {
  const { t } = useTranslation('servers');
  const { data, isPending, error, refetch } = useQuery(webServicesQuery);
  return (
    <Section title={t('services.title')} text={t('services.text')}>
      {isPending && <LoadingState />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && <Services services={data} />}
    </Section>
  );
}

function Services({ services }: { services: readonly WebService[] }) {
  const { t } = useTranslation('servers');
  const { server, settings, change, canEdit, errorOf } = useEditor();
  const [search, setSearch] = useState('');
  const [which, setWhich] = useState('all');
  const { blocked_services: selected, enabled } = settings.parental_control_settings;
  const blocked = new Set(selected.filter(({ enabled }) => enabled).map(({ id }) => id));
  const saved = server.settings.parental_control_settings.blocked_services;
  const block = (id: string, isBlocked: boolean): void => {
    const entry = { id, enabled: isBlocked };
    const blocked_services = toggleEntry(selected, saved, entry, (one, other) => one.id === other.id);
    change({ parental_control_settings: { blocked_services } });
  };
  const query = search.trim().toLocaleLowerCase();
  const matching = services.filter(
    ({ id, name }) => (which === 'all' || blocked.has(id)) && `${name} ${id}`.toLocaleLowerCase().includes(query),
  );
  const error = errorOf('parental_control_settings.blocked_services');
  return (
    <>
      <Group align="flex-end" gap="sm">
        <TextInput
          type="search"
          flex={1}
          miw={160}
          label={t('services.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('services.show')}
          value={which}
          data={[
            { value: 'all', label: t('services.all') },
            { value: 'blocked', label: t('services.blocked') },
          ]}
          onChange={(event) => setWhich(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {t('services.count', { count: blocked.size })}
      </Text>
      {error !== undefined && <Text c="var(--mantine-color-error)">{error}</Text>}
      {matching.length === 0 && <Text>{t('services.noneFound')}</Text>}
      <SimpleGrid
        cols={{ base: 1, xs: 2, lg: 3, xl: 4 }}
        spacing="xs"
        className={classes['services']}
        role="group"
        aria-label={t('services.title')}
        tabIndex={0}
      >
        {matching.map(({ id, name, icon_svg }) => (
          <Checkbox.Card
            key={id}
            className={classes['service']}
            checked={blocked.has(id)}
            disabled={!canEdit || !enabled}
            aria-label={t('services.block', { name })}
            onChange={(isBlocked) => block(id, isBlocked)}
          >
            <ServiceIcon svg={icon_svg} />
            <Text size="sm" span flex={1} miw={0}>
              <bdi>{name}</bdi>
            </Text>
            <Checkbox.Indicator size="xs" />
          </Checkbox.Card>
        ))}
      </SimpleGrid>
    </>
  );
}

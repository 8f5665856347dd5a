import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import type { Device } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { useLatch } from '../../components/use-latch.ts';
import { BulkActions } from './bulk-actions.tsx';
import { DeviceList } from './device-list.tsx';

const CreateDevice = lazy(() => import('./create-device.tsx').then((module) => ({ default: module.CreateDevice })));
const MIN_FOR_SEARCH = 6;

export function DevicesPage() {
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const navigate = useNavigate();
  const [isCreating, creating] = useDisclosure(false);
  const wasCreating = useLatch(isCreating);
  const add = canEdit && (
    <Button leftSection={<IconPlus size={17} />} onClick={creating.open}>
      {t('add')}
    </Button>
  );
  const created = (device: Device): void => {
    creating.close();
    notifyDone(t('create.done', { name: device.name }));
    void navigate({ to: '/devices/$deviceId', params: { deviceId: device.id } });
  };
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} actions={add} />
      <Devices add={add} />
      <Suspense>
        {wasCreating && <CreateDevice isOpen={isCreating} onClose={creating.close} onDone={created} />}
      </Suspense>
    </>
  );
}

function Devices({ add }: { add: ReactNode }) {
  const { t } = useTranslation('devices');
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = (ids: readonly string[], isSelected: boolean): void =>
    setSelected(new Set(isSelected ? [...selected, ...ids] : [...selected].filter((id) => !ids.includes(id))));
  const devices = useQuery(devicesQuery);
  const servers = useQuery(serversQuery);
  if (devices.isPending) return <LoadingState />;
  if (devices.isError && !devices.data) return <ErrorState error={devices.error} retry={devices.refetch} />;
  if (devices.data.length === 0) return <EmptyState title={t('empty.title')} text={t('empty.text')} action={add} />;
  const query = search.trim().toLocaleLowerCase();
  const matching = devices.data.filter(({ name, id }) => `${name} ${id}`.toLocaleLowerCase().includes(query));
  const chosen = devices.data.filter(({ id }) => selected.has(id));
  return (
    <>
      {devices.data.length >= MIN_FOR_SEARCH && (
        <TextInput
          type="search"
          mb="md"
          maw={360}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {chosen.length > 0 && (
        <BulkActions devices={chosen} servers={servers.data ?? []} onClear={() => setSelected(new Set())} />
      )}
      {matching.length === 0 ? (
        <Text c="dimmed">{t('noneFound')}</Text>
      ) : (
        <DeviceList devices={matching} servers={servers.data ?? []} selected={selected} onSelect={select} />
      )}
      <Text size="sm" c="dimmed" mt="sm" role="status">
        {t('count', { count: matching.length })}
      </Text>
    </>
  );
}

import { Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { networkClientsQuery } from '../../api/network-clients.ts';
import { serversQuery } from '../../api/servers.ts';
import type { NetworkClient } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ClientList } from './client-list.tsx';

const AdoptClient = lazy(() => import('./adopt-client.tsx').then((module) => ({ default: module.AdoptClient })));
const REFETCH_MS = 10_000;

export function ClientsPage() {
  const { t } = useTranslation('clients');
  const clients = useQuery({ ...networkClientsQuery, refetchInterval: REFETCH_MS });
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} />
      {clients.isPending ? (
        <LoadingState />
      ) : !clients.data ? (
        <ErrorState error={clients.error} retry={clients.refetch} />
      ) : clients.data.items.length === 0 ? (
        <NoClients discovery={clients.data.discovery} />
      ) : (
        <Clients clients={clients.data.items} />
      )}
    </>
  );
}

function NoClients({ discovery }: { discovery: 'on' | 'off' | 'unavailable' }) {
  const { t } = useTranslation('clients');
  if (discovery !== 'on')
    return <EmptyState title={t(`empty.${discovery}.title`)} text={t(`empty.${discovery}.text`)} />;
  return (
    <EmptyState
      title={t('empty.on.title')}
      text={t('empty.on.text')}
      action={
        <Button mt="sm" variant="light" renderRoot={(props) => <Link to="/network" {...props} />}>
          {t('empty.action')}
        </Button>
      }
    />
  );
}

/** Name, host names, addresses, MAC address and vendor. */
const searchText = ({ name = '', host_names, addresses, mac = '', vendor = '' }: NetworkClient): string =>
  [name, ...host_names, ...addresses, mac, vendor].join(' ').toLocaleLowerCase();

function Clients({ clients }: { clients: readonly NetworkClient[] }) {
  const { t } = useTranslation('clients');
  const { data: servers = [] } = useQuery(serversQuery);
  const [search, setSearch] = useState('');
  const [adopting, setAdopting] = useState<NetworkClient>();
  const query = search.trim().toLocaleLowerCase();
  const matching = clients.filter((client) => searchText(client).includes(query));
  return (
    <>
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
      {matching.length === 0 ? (
        <Text c="dimmed">{t('noneFound')}</Text>
      ) : (
        <ClientList clients={matching} servers={servers} onAdopt={setAdopting} />
      )}
      <Text size="sm" c="dimmed" mt="sm" role="status">
        {t('count', { count: matching.length })}
      </Text>
      <Suspense>{adopting && <AdoptClient client={adopting} onClose={() => setAdopting(undefined)} />}</Suspense>
    </>
  );
}

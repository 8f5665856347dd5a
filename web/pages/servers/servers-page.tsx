import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { serversQuery } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { CreateServer } from './create-server.tsx';
import { ServerList } from './server-list.tsx';

export function ServersPage() {
  const { t } = useTranslation('servers');
  const canEdit = useCanEdit();
  const navigate = useNavigate();
  const [isCreating, creating] = useDisclosure(false);
  const { data: servers, isPending, error, refetch } = useQuery(serversQuery);
  const created = ({ id, name }: DnsServer): void => {
    creating.close();
    notifyDone(t('create.done', { name }));
    void navigate({ to: '/profiles/$serverId/{-$section}', params: { serverId: id } });
  };
  const add = canEdit && (
    <Button leftSection={<IconPlus size={17} />} onClick={creating.open}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} actions={add} />
      {isPending && <LoadingState />}
      {!isPending && !servers && <ErrorState error={error} retry={refetch} />}
      {servers && <ServerList servers={servers} />}
      <CreateServer isOpen={isCreating} onClose={creating.close} onDone={created} />
    </>
  );
}

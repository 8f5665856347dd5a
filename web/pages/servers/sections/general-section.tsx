import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../../api/devices.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { DeviceLinks } from '../../devices/device-links.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { NameSection } from './name-section.tsx';
import { RemoveServer } from './remove-server.tsx';

export function GeneralSection() {
  const { canEdit } = useEditor();
  return (
    <>
      <NameSection />
      <Devices />
      {canEdit && <RemoveServer />}
    </>
  );
}

function Devices() {
  const { t } = useTranslation('servers');
  const { server } = useEditor();
  const { data, isPending, error, refetch } = useQuery(devicesQuery);
  const assigned = (data ?? []).filter(({ dns_server_id }) => dns_server_id === server.id);
  return (
    <Section title={t('devicesHere.title')} text={t('devicesHere.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && assigned.length === 0 && <Text>{t('devicesHere.none')}</Text>}
      {assigned.length > 0 && <DeviceLinks devices={assigned} to="/devices/$deviceId" />}
    </Section>
  );
}

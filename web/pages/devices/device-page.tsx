import { Anchor, Button, Group, Stack } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deviceQuery } from '../../api/devices.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PauseMenu } from '../../components/pause-menu.tsx';
import { ProtectionState } from '../../components/protection-state.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { Addresses } from './addresses.tsx';
import { DedicatedAddresses } from './dedicated-addresses.tsx';
import { DohPassword } from './doh-password.tsx';
import { EditDevice } from './edit-device.tsx';
import { Identifiers } from './identifiers.tsx';
import { LastQuery } from './last-query.tsx';
import { LinkedAddress } from './linked-address.tsx';
import { ProtectionSwitch } from './protection-switch.tsx';
import { RemoveDevice } from './remove-device.tsx';

const route = getRouteApi('/shell/devices/$deviceId');

export function DevicePage() {
  const { t } = useTranslation(['devices', 'connect']);
  const { deviceId } = route.useParams();
  const canEdit = useCanEdit();
  const { data: device, isPending, error, refetch } = useQuery(deviceQuery(deviceId));
  return (
    <>
      <Anchor size="sm" renderRoot={(props) => <Link to="/devices" {...props} />}>
        {t('back')}
      </Anchor>
      {isPending && <LoadingState />}
      {!isPending && !device && <ErrorState error={error} retry={refetch} />}
      {device && (
        <>
          <PageHeader
            title={device.name}
            state={<ProtectionState device={device.id} server={device.dns_server_id} />}
            actions={
              <Group gap="lg">
                <Button
                  variant="default"
                  leftSection={<IconPlugConnected size={17} stroke={1.6} />}
                  renderRoot={(props) => <Link to="/devices/$deviceId/connect" params={{ deviceId }} {...props} />}
                >
                  {t('connect:button')}
                </Button>
                <PauseMenu device={device.id} />
                <ProtectionSwitch device={device} label={t('protection')} hint={t('protectionHint')} />
              </Group>
            }
          />
          <Stack>
            <LastQuery device={device.id} />
            <Addresses device={device} />
            <EditDevice key={device.id} device={device} />
            <DohPassword device={device} />
            <Identifiers device={device} />
            <LinkedAddress device={device} />
            <DedicatedAddresses device={device} />
            {canEdit && <RemoveDevice device={device} />}
          </Stack>
        </>
      )}
    </>
  );
}

import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { lastQueryQuery } from '../../api/device-queries.ts';
import { deviceQuery } from '../../api/devices.ts';
import { deviceProtectionQuery, protectionQuery } from '../../api/protection.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Addresses } from '../devices/addresses.tsx';
import { DeviceBlockTest } from './device-block-test.tsx';
import { Instructions } from './instructions.tsx';
import { LiveCheck } from './live-check.tsx';

const route = getRouteApi('/shell/devices/$deviceId/connect');

/** Setup instructions and connection status of a device. */
export function ConnectPage() {
  const { t } = useTranslation('connect');
  const { deviceId } = route.useParams();
  const { data: device, isPending, error, refetch } = useQuery(deviceQuery(deviceId));
  const isStateKnown = useIsStateKnown(deviceId);
  if (isPending) return <LoadingState />;
  if (!device) return <ErrorState error={error} retry={refetch} />;
  return (
    <>
      <Anchor size="sm" renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId }} {...props} />}>
        {t('back')}
      </Anchor>
      <PageHeader title={t('title', { name: device.name })} text={t('text')} />
      {!isStateKnown && <LoadingState />}
      {isStateKnown && (
        <Stack key={device.id}>
          <LiveCheck device={device} />
          <DeviceBlockTest device={device} />
          <Instructions device={device} />
          <Addresses device={device} />
        </Stack>
      )}
    </>
  );
}

/** What follows the connection status would move when it changes from the first to the known state. */
function useIsStateKnown(device: string): boolean {
  const last = useQuery(lastQueryQuery({ devices: device }));
  const protection = useQuery(deviceProtectionQuery(device));
  const ofProfiles = useQuery(protectionQuery);
  return [last, protection, ofProfiles].every(({ isPending }) => !isPending);
}

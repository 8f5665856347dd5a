import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createDevice, devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import type { DeviceCreate } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { AddressLine } from '../devices/address-line.tsx';
import { DeviceFields } from '../devices/device-fields.tsx';
import { DeviceLinks } from '../devices/device-links.tsx';
import { guessDeviceType } from './guess-device-type.ts';
import { isLoopback } from './settings-text.ts';

/** First page after set-up: add a device or choose an existing one. */
export function FirstDevicePage() {
  const { t } = useTranslation('connect');
  const canEdit = useCanEdit();
  const devices = useQuery(devicesQuery);
  const servers = useQuery(serversQuery);
  return (
    <>
      <PageHeader title={t('first.title')} text={t('first.text')} />
      <Stack>
        {canEdit && <NewDevice />}
        {/* What follows the form and the devices would move when they arrive. */}
        {!devices.isPending && !servers.isPending && <DevicesAndHost />}
      </Stack>
    </>
  );
}

function DevicesAndHost() {
  const { t } = useTranslation('connect');
  return (
    <>
      <ExistingDevices />
      <Section title={t('first.host')} text={t('first.hostText')}>
        {isLoopback(location.hostname) ? (
          <Text size="sm">{t('loopback')}</Text>
        ) : (
          <AddressLine label={t('first.interface')} address={location.origin} />
        )}
      </Section>
    </>
  );
}

const fields = ['name', 'device_type', 'dns_server_id'];

function NewDevice() {
  const { t } = useTranslation('connect');
  const navigate = useNavigate();
  const servers = useQuery(serversQuery);
  const [edits, setEdits] = useState<DeviceCreate>(() => {
    const type = guessDeviceType(navigator.userAgent);
    return { name: t(`guess.${type}`), device_type: type, dns_server_id: '' };
  });
  const creating = useMutation({
    mutationFn: createDevice,
    onSuccess: ({ id }) => navigate({ to: '/devices/$deviceId/connect', params: { deviceId: id } }),
  });
  if (servers.isPending || !servers.data)
    return (
      <Section title={t('first.new')}>
        {servers.isPending ? <LoadingState rows={3} /> : <ErrorState error={servers.error} retry={servers.refetch} />}
      </Section>
    );
  const defaultServer = servers.data.find((server) => server.default)?.id ?? '';
  const newDevice = { ...edits, dns_server_id: edits.dns_server_id || defaultServer };
  return (
    <Section title={t('first.new')} text={t('first.newText')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          creating.mutate(newDevice);
        }}
      >
        <Stack maw={420}>
          <DeviceFields
            value={newDevice}
            onChange={setEdits}
            servers={servers.data}
            errors={fieldErrors(creating.error)}
          />
          {creating.isError && <ErrorAlert error={creating.error} except={fields} />}
          <Group>
            <Button type="submit" loading={creating.isPending}>
              {t('first.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function ExistingDevices() {
  const { t } = useTranslation('connect');
  const { data: devices, error, refetch } = useQuery(devicesQuery);
  if (!devices) return <ErrorState error={error} retry={refetch} />;
  if (devices.length === 0) return null;
  return (
    <Section title={t('first.known')}>
      <DeviceLinks devices={devices} to="/devices/$deviceId/connect" />
    </Section>
  );
}

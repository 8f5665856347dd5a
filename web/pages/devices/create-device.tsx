import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createDevice } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import type { Device, DeviceCreate } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { LoadingState } from '../../components/loading-state.tsx';
import { DeviceFields } from './device-fields.tsx';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly onDone: (device: Device) => void };

export function CreateDevice({ isOpen, onClose, onDone }: Props) {
  const { t } = useTranslation('devices');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('create.title')}>
      <Form onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

const fields = ['name', 'device_type', 'dns_server_id'];

function Form({ onClose, onDone }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation(['devices', 'common']);
  const servers = useQuery(serversQuery);
  const [edits, setEdits] = useState<DeviceCreate>({ name: '', device_type: 'IOS', dns_server_id: '' });
  const creating = useMutation({ mutationFn: createDevice, onSuccess: onDone });
  if (servers.isPending) return <LoadingState rows={3} />;
  if (!servers.data) return <ErrorState error={servers.error} retry={servers.refetch} />;
  const defaultServer = servers.data.find((server) => server.default)?.id ?? '';
  const device = { ...edits, dns_server_id: edits.dns_server_id || defaultServer };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate(device);
      }}
    >
      <Stack>
        <DeviceFields value={device} onChange={setEdits} servers={servers.data} errors={fieldErrors(creating.error)} />
        {creating.isError && <ErrorAlert error={creating.error} except={fields} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={creating.isPending}>
            {t('create.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

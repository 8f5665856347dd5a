import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import type { Device, DeviceCreate } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone, notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { DeviceFields } from './device-fields.tsx';

const fields = ['name', 'device_type', 'dns_server_id'] as const;

type Change = { readonly before: DeviceCreate; readonly after: DeviceCreate };

const editableFields = ({ name, device_type, dns_server_id }: Device): DeviceCreate => ({
  name,
  device_type,
  dns_server_id,
});

export function EditDevice({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const { data: servers = [] } = useQuery(serversQuery);
  // Edited fields override the loaded values, so a background refetch does not overwrite input.
  const [edits, setEdits] = useState<Partial<DeviceCreate>>({});
  const before = editableFields(device);
  const edited = { ...before, ...edits };
  const undoing = useAction((update: Partial<DeviceCreate>) => updateDevice(device.id, update));
  const saving = useMutation({
    // The previous values are passed along, because the page already shows the new ones when the request completes.
    mutationFn: ({ after }: Change) => updateDevice(device.id, after),
    onSuccess: (_, { before, after }) => {
      setEdits({});
      const isMoved = after.dns_server_id !== before.dns_server_id;
      if (!isMoved) return notifyDone(t('edit.done'));
      const server = servers.find(({ id }) => id === after.dns_server_id)?.name ?? '';
      return notifyWithUndo(t('edit.moved', { name: after.name, server }), () =>
        undoing.mutate({ dns_server_id: before.dns_server_id }),
      );
    },
  });
  const isChanged = fields.some((field) => edited[field] !== before[field]);
  return (
    <Section title={t('edit.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate({ before, after: edited });
        }}
      >
        <Stack maw={420}>
          <DeviceFields
            value={edited}
            onChange={setEdits}
            servers={servers}
            errors={fieldErrors(saving.error)}
            isReadOnly={!canEdit}
          />
          {saving.isError && <ErrorAlert error={saving.error} except={fields} />}
          {canEdit && (
            <Group>
              <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
                {t('edit.submit')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}

import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import type { Device, DeviceCreate } from '../../api/wire.ts';
import { ProblemNote } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone, notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useMayChange } from '../../components/use-can-edit.ts';
import { DeviceFields } from './device-fields.tsx';

const fields = ['name', 'device_type', 'dns_server_id'] as const;

type Change = { readonly before: DeviceCreate; readonly after: DeviceCreate };

const shownOf = ({ name, device_type, dns_server_id }: Device): DeviceCreate => ({ name, device_type, dns_server_id });

export function EditDevice({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const mayChange = useMayChange();
  const { data: servers = [] } = useQuery(serversQuery);
  // What is typed stands over what is known: news of the device from elsewhere does not overwrite it.
  const [typed, setTyped] = useState<Partial<DeviceCreate>>({});
  const before = shownOf(device);
  const wanted = { ...before, ...typed };
  const undoing = useAction((update: Partial<DeviceCreate>) => updateDevice(device.id, update));
  const saving = useMutation({
    // What was before goes along: by the time it is done, the page shows what is.
    mutationFn: ({ after }: Change) => updateDevice(device.id, after),
    onSuccess: (_, { before, after }) => {
      setTyped({});
      const isMoved = after.dns_server_id !== before.dns_server_id;
      if (!isMoved) return notifyDone(t('edit.done'));
      const server = servers.find(({ id }) => id === after.dns_server_id)?.name ?? '';
      return notifyWithUndo(t('edit.moved', { name: after.name, server }), () =>
        undoing.mutate({ dns_server_id: before.dns_server_id }),
      );
    },
  });
  const isChanged = fields.some((field) => wanted[field] !== before[field]);
  return (
    <Section title={t('edit.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate({ before, after: wanted });
        }}
      >
        <Stack maw={420}>
          <DeviceFields
            value={wanted}
            onChange={setTyped}
            servers={servers}
            errors={fieldErrors(saving.error)}
            isReadOnly={!mayChange}
          />
          {saving.isError && <ProblemNote error={saving.error} except={fields} />}
          {mayChange && (
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

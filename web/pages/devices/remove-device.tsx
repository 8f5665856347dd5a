import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeDevice, restoreDevices } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

/** Can be undone for a minute; afterwards a new device gets other addresses. */
export function RemoveDevice({ device: { id, name } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const navigate = useNavigate();
  const restoring = useAction(() => restoreDevices([id]));
  const removing = useAction(() => removeDevice(id), {
    onDone: () => {
      notifyWithUndo(t('remove.done', { name }), () => restoring.mutate());
      void navigate({ to: '/devices' });
    },
  });
  return (
    <Section title={t('remove.title')} text={t('remove.text')}>
      <Group>
        <Button color="red" variant="light" loading={removing.isPending} onClick={() => removing.mutate()}>
          {t('remove.button')}
        </Button>
      </Group>
    </Section>
  );
}

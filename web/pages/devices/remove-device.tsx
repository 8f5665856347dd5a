import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeDevice } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';

/** Irreversible: a new device gets other addresses. */
export function RemoveDevice({ device: { id, name } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const navigate = useNavigate();
  const [isConfirming, confirmation] = useDisclosure(false);
  const removing = useMutation({
    mutationFn: () => removeDevice(id),
    onSuccess: () => {
      notifyDone(t('remove.done', { name }));
      void navigate({ to: '/devices' });
    },
  });
  return (
    <Section title={t('remove.title')} text={t('remove.text')}>
      <Group>
        <Button color="red" variant="light" onClick={confirmation.open}>
          {t('remove.button')}
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isConfirming}
        title={t('remove.ask', { name })}
        text={t('remove.text')}
        verb={t('remove.verb')}
        mutation={removing}
        onConfirm={() => removing.mutate()}
        onClose={confirmation.close}
      />
    </Section>
  );
}

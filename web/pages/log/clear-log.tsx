import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clearLog } from '../../api/log.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';

/** Deletes all queries of the account after a confirmation. */
export function ClearLogButton({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['log', 'common']);
  const canEdit = useCanEdit();
  const [isConfirming, confirmation] = useDisclosure(false);
  const clearing = useMutation({
    mutationFn: clearLog,
    onSuccess: () => {
      confirmation.close();
      notifyDone(t('clear.done'));
      onDone();
    },
  });
  if (!canEdit) return null;
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('clear.button')}
        title={t('clear.button')}
        onClick={() => {
          clearing.reset();
          confirmation.open();
        }}
      >
        <IconTrash size={17} stroke={1.6} />
      </ActionIcon>
      <Dialog opened={isConfirming} onClose={confirmation.close} title={t('clear.ask')}>
        <Stack>
          <Text>{t('clear.text')}</Text>
          {clearing.error !== null && <ErrorAlert error={clearing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={confirmation.close}>
              {t('common:cancel')}
            </Button>
            <Button color="red" loading={clearing.isPending} onClick={() => clearing.mutate()}>
              {t('clear.verb')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

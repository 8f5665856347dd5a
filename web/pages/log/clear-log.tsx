import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clearLog } from '../../api/log.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';

/** Deletes all queries of the account after a confirmation. */
export function ClearLogButton({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('log');
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
      <ConfirmDialog
        isOpen={isConfirming}
        title={t('clear.ask')}
        text={t('clear.text')}
        verb={t('clear.verb')}
        mutation={clearing}
        onConfirm={() => clearing.mutate()}
        onClose={confirmation.close}
      />
    </>
  );
}

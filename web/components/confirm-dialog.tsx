import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  /** Describes the consequences. */
  readonly text: string;
  readonly verb: string;
  readonly mutation: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Confirmation of an action that cannot be undone but affects little. */
export function ConfirmDialog({ isOpen, title, text, verb, mutation, onConfirm, onClose }: Props) {
  const { t } = useTranslation('common');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text>{text}</Text>
        {mutation.error !== null && <ErrorAlert error={mutation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={mutation.isPending} onClick={onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

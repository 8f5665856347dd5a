import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';

const UNDO_MS = 8000;

const closing = () => ({ closeButtonProps: { 'aria-label': i18next.t('common:close') } });

export const notifyDone = (text: string): void =>
  void notifications.show({ ...closing(), message: text, color: 'water' });

export const notifyError = (text: string): void =>
  void notifications.show({ ...closing(), message: text, color: 'red', autoClose: UNDO_MS, role: 'alert' });

/** Reports a completed action and offers to undo it for a few seconds. */
export function notifyWithUndo(text: string, undo: () => void): void {
  const id = notifications.show({
    ...closing(),
    color: 'water',
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {i18next.t('common:undo')}
        </Button>
      </Group>
    ),
  });
}

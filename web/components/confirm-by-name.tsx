import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  /** Describes the consequences. */
  readonly text: string;
  /** Text that the user must type to confirm. */
  readonly name: string;
  readonly verb: string;
  readonly mutation: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Confirmation of an irreversible action: the user types the name of the object. */
export function ConfirmByName({ isOpen, title, onClose, ...rest }: Props) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <ConfirmForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

// Typographic quotation marks, which phones put into names, are not on every keyboard.
const comparable = (text: string): string =>
  text.trim().replaceAll(/[‘’ʼ]/g, "'").replaceAll(/[“”„]/g, '"').replaceAll(/\s+/g, ' ').toLocaleLowerCase();

function ConfirmForm({ text, name, verb, mutation, onConfirm, onClose }: Omit<Props, 'isOpen' | 'title'>) {
  const { t } = useTranslation('common');
  const [typed, setTyped] = useState('');
  const isMatch = comparable(typed) === comparable(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isMatch) onConfirm();
      }}
    >
      <Stack>
        <Text>{text}</Text>
        <TextInput
          label={t('typeName', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {mutation.error !== null && <ErrorAlert error={mutation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!isMatch} loading={mutation.isPending}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

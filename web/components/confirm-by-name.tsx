import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './error-alert.tsx';

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** What has to be typed. */
  readonly name: string;
  readonly verb: string;
  /** What is done once it is typed. */
  readonly doing: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** For what cannot be undone: nobody types a name by mistake. */
export function ConfirmByName({ isOpen, title, onClose, ...rest }: Props) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Question({ text, name, verb, doing, onConfirm, onClose }: Omit<Props, 'isOpen' | 'title'>) {
  const { t } = useTranslation('common');
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) onConfirm();
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
        {doing.error !== null && <ProblemNote error={doing.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!isRight} loading={doing.isPending}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createServer } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { MAX_NAME } from './sections/name-section.tsx';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly onDone: (server: DnsServer) => void };

export function CreateServer({ isOpen, onClose, onDone }: Props) {
  const { t } = useTranslation('servers');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('create.title')}>
      <Form onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function Form({ onClose, onDone }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation(['servers', 'common']);
  const [name, setName] = useState('');
  const creating = useMutation({ mutationFn: createServer, onSuccess: onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate(name);
      }}
    >
      <Stack>
        <Text size="sm">{t('create.text')}</Text>
        <TextInput
          label={t('name')}
          required
          maxLength={MAX_NAME}
          autoComplete="off"
          data-autofocus
          value={name}
          error={fieldErrors(creating.error)['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {creating.isError && <ErrorAlert error={creating.error} except={['name']} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={creating.isPending}>
            {t('create.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

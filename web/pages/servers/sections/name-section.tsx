import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renameServer } from '../../../api/servers.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { fieldErrors } from '../../../components/field-errors.ts';
import { notifyDone } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';

export const MAX_NAME = 64;

export function NameSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const [typed, setTyped] = useState<string>();
  const renaming = useMutation({
    mutationFn: (name: string) => renameServer(server.id, name),
    onSuccess: () => {
      setTyped(undefined);
      notifyDone(t('rename.done'));
    },
  });
  const name = typed ?? server.name;
  return (
    <Section title={t('rename.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(name);
        }}
      >
        <Stack maw={420}>
          <TextInput
            label={t('name')}
            required
            readOnly={!canEdit}
            maxLength={MAX_NAME}
            autoComplete="off"
            value={name}
            error={fieldErrors(renaming.error)['name']}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {renaming.isError && <ErrorAlert error={renaming.error} except={['name']} />}
          {canEdit && (
            <Group>
              <Button type="submit" disabled={name === server.name} loading={renaming.isPending}>
                {t('rename.submit')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}

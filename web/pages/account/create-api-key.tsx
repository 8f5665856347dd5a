import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createApiKey } from '../../api/members.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';

const MAX_NAME = 64;

export function CreateApiKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('account');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('keys.create')}>
      <NewApiKeyForm onClose={onClose} />
    </Dialog>
  );
}

function NewApiKeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const creating = useMutation({ mutationFn: createApiKey });
  if (creating.data)
    return (
      <Stack>
        <Text>{t('keys.made', { name: creating.data.name })}</Text>
        <CodeBlock text={creating.data.api_key} label={t('keys.key')} />
        <Alert color="orange">{t('onlyNow')}</Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('kept')}</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate(formValue(new FormData(event.currentTarget), 'name'));
      }}
    >
      <Stack>
        <TextInput
          name="name"
          label={t('keys.name')}
          description={t('keys.nameHint')}
          autoComplete="off"
          required
          maxLength={MAX_NAME}
          data-autofocus
          error={fieldErrors(creating.error)['name']}
        />
        {creating.isError && <ErrorAlert error={creating.error} except={['name']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            {t('keys.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

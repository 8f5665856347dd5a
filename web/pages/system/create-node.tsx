import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createNode } from '../../api/nodes.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';

const MAX_NAME = 64;

export function CreateNode({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('system');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('nodes.create')}>
      <NewNodeForm onClose={onClose} />
    </Dialog>
  );
}

function NewNodeForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('system');
  const creating = useMutation({ mutationFn: createNode });
  if (creating.data)
    return (
      <Stack>
        <Text>{t('nodes.made', { name: creating.data.name })}</Text>
        <CodeBlock text={creating.data.node_key} label={t('nodes.key')} />
        <Alert color="orange">{t('nodes.onlyNow')}</Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('nodes.done')}</Button>
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
          label={t('nodes.name')}
          description={t('nodes.nameHint')}
          autoComplete="off"
          required
          maxLength={MAX_NAME}
          data-autofocus
          error={fieldErrors(creating.error)['name']}
        />
        {creating.isError && <ErrorAlert error={creating.error} except={['name']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            {t('nodes.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

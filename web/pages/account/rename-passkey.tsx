import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../src/client/operations.ts';
import { renamePasskey } from '../../api/passkeys.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';

const MAX_NAME = 64;

export function RenamePasskey({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation('account');
  const renaming = useMutation({ mutationFn: renamePasskey, onSuccess: onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        renaming.mutate({ id, name: formValue(new FormData(event.currentTarget), 'name') });
      }}
    >
      <Stack>
        <TextInput
          name="name"
          label={t('passkeys.name')}
          defaultValue={name}
          autoComplete="off"
          required
          maxLength={MAX_NAME}
          data-autofocus
          error={fieldErrors(renaming.error)['name']}
        />
        {renaming.isError && <ErrorAlert error={renaming.error} except={['name']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={renaming.isPending}>
            {t('passkeys.rename')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

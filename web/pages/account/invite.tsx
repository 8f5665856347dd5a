import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../api/account-wire.ts';
import { invite } from '../../api/members.ts';
import type { Member } from '../../api/wire.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { assignableRoles } from './roles.ts';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly self: Member };

export function Invite({ isOpen, onClose, self }: Props) {
  const { t } = useTranslation('account');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('invitations.invite')}>
      <NewInvitation onClose={onClose} self={self} />
    </Dialog>
  );
}

function NewInvitation({ onClose, self }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation(['account', 'shell']);
  const inviting = useMutation({ mutationFn: invite });
  if (inviting.data)
    return (
      <Stack>
        <Text>{t('invitations.made', { email: inviting.data.email })}</Text>
        <CodeBlock text={`${location.origin}/join#${inviting.data.token}`} label={t('invitations.link')} />
        <Alert color="orange">{t('onlyNow')}</Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('kept')}</Button>
        </Group>
      </Stack>
    );
  const errors = fieldErrors(inviting.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        inviting.mutate({ email: formValue(form, 'email'), role: formValue(form, 'role') as Role });
      }}
    >
      <Stack>
        <TextInput
          name="email"
          type="email"
          label={t('profile.email')}
          autoComplete="off"
          required
          data-autofocus
          error={errors['email']}
        />
        <NativeSelect
          name="role"
          label={t('members.role')}
          description={t('members.text')}
          defaultValue="viewer"
          data={assignableRoles(self.role).map((name) => ({ value: name, label: t(`shell:roles.${name}`) }))}
        />
        {inviting.isError && <ErrorAlert error={inviting.error} except={['email']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={inviting.isPending}>
            {t('invitations.invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

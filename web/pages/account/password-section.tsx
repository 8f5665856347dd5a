import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changePassword, type PasswordChange } from '../../api/members.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';

const MIN_PASSWORD = 8;
const fields = ['current_password', 'new_password'];

export function PasswordSection() {
  const { t } = useTranslation('account');
  const changing = useMutation({ mutationFn: (change: PasswordChange) => changePassword(change) });
  const errors = fieldErrors(changing.error);
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const element = event.currentTarget;
          const form = new FormData(element);
          const change = {
            current_password: formValue(form, 'current_password'),
            new_password: formValue(form, 'new_password'),
          };
          changing.mutate(change, {
            onSuccess: () => {
              element.reset();
              notifyDone(t('password.done'));
            },
          });
        }}
      >
        <Stack maw={420}>
          <PasswordInput
            name="current_password"
            label={t('password.current')}
            autoComplete="current-password"
            required
            error={errors['current_password']}
          />
          <PasswordInput
            name="new_password"
            label={t('password.new')}
            description={t('password.hint', { count: MIN_PASSWORD })}
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
            error={errors['new_password']}
          />
          {changing.isError && <ErrorAlert error={changing.error} except={fields} />}
          <Group>
            <Button type="submit" loading={changing.isPending}>
              {t('password.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

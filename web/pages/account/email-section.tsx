import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeEmail, type EmailChange } from '../../api/members.ts';
import { memberQuery } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { CodeInput } from './confirm-password.tsx';

const fields = ['email', 'current_password', 'code'];

export function EmailSection() {
  const { t } = useTranslation('account');
  const changing = useMutation({ mutationFn: (change: EmailChange) => changeEmail(change) });
  const errors = fieldErrors(changing.error);
  const withCode = useQuery(memberQuery).data?.second_factor_enabled === true;
  return (
    <Section title={t('email.title')} text={t('email.text')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const element = event.currentTarget;
          const form = new FormData(element);
          const code = withCode ? { code: formValue(form, 'code').trim() } : {};
          const change = {
            email: formValue(form, 'email'),
            current_password: formValue(form, 'current_password'),
            ...code,
          };
          changing.mutate(change, {
            onSuccess: ({ email }) => {
              element.reset();
              notifyDone(t('email.done', { email }));
            },
          });
        }}
      >
        <Stack maw={420}>
          <TextInput
            name="email"
            type="email"
            label={t('email.new')}
            autoComplete="email"
            required
            error={errors['email']}
          />
          <PasswordInput
            name="current_password"
            label={t('email.password')}
            autoComplete="current-password"
            required
            error={errors['current_password']}
          />
          {withCode && <CodeInput error={errors['code']} />}
          {changing.isError && <ErrorAlert error={changing.error} except={fields} />}
          <Group>
            <Button type="submit" loading={changing.isPending}>
              {t('email.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

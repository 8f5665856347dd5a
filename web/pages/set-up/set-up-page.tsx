import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../api/query-client.ts';
import { sendBackup } from '../../api/restore.ts';
import { type FirstOwner, isSetUpQuery, memberQuery, setUp } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { RestoreBackup } from '../../components/restore-backup.tsx';
import { useFragmentToken } from '../../components/use-fragment-token.ts';
import { AuthLayout } from '../sign-in/auth-layout.tsx';
import { CodeInput } from './code-input.tsx';

const MIN_PASSWORD = 8;

export function SetUpPage() {
  const { t } = useTranslation('setUp');
  const router = useRouter();
  const token = useFragmentToken();
  const [isRestoring, setRestoring] = useState(false);
  const { data: state } = useQuery(isSetUpQuery);
  const creating = useMutation({
    mutationFn: (owner: FirstOwner) => setUp(owner),
    onSuccess: (member) => {
      queryClient.clear();
      queryClient.setQueryData(memberQuery.queryKey, member);
      void router.navigate({ to: '/network' });
    },
  });
  if (state?.is_done && !creating.isSuccess && !isRestoring)
    return (
      <AuthLayout title={t('done.title')}>
        <Text>{t('done.text')}</Text>
        <Button component="a" href="/sign-in">
          {t('done.signIn')}
        </Button>
      </AuthLayout>
    );
  const errors = fieldErrors(creating.error);
  if (isRestoring)
    return (
      <AuthLayout title={t('restore.title')}>
        <RestoreBackup
          send={(sending) => sendBackup({ ...sending, at: 'set up', code: token || sending.code })}
          codeField={token === '' ? (error) => <CodeInput error={error} /> : undefined}
          what={t('restore.what')}
          done={({ accounts }) => (
            <Stack>
              <Alert color="green" variant="light" role="status">
                {t('restore.done', { count: accounts })}
              </Alert>
              <Button component="a" href="/sign-in">
                {t('done.signIn')}
              </Button>
            </Stack>
          )}
          back={t('restore.back')}
          onBack={() => setRestoring(false)}
        />
      </AuthLayout>
    );
  return (
    <AuthLayout title={t('title')}>
      <Text>{t(token === '' ? 'textWithoutLink' : 'text')}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          creating.mutate({
            token: token || formValue(form, 'code'),
            email: formValue(form, 'email'),
            password: formValue(form, 'password'),
          });
        }}
      >
        <Stack>
          {token === '' && <CodeInput error={errors['token']} />}
          <TextInput
            name="email"
            type="email"
            label={t('email')}
            autoComplete="username"
            required
            error={errors['email']}
          />
          <PasswordInput
            name="password"
            label={t('password')}
            description={t('passwordHint', { count: MIN_PASSWORD })}
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
            error={errors['password']}
          />
          {creating.isError && (
            <ErrorAlert
              error={creating.error}
              except={token === '' ? ['email', 'password', 'token'] : ['email', 'password']}
            />
          )}
          <Button type="submit" loading={creating.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
      <Button variant="subtle" onClick={() => setRestoring(true)}>
        {t('restore.title')}
      </Button>
    </AuthLayout>
  );
}

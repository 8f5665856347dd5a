import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { acceptInvitation } from '../../api/members.ts';
import { queryClient } from '../../api/query-client.ts';
import { memberQuery } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { useFragmentToken } from '../../components/use-fragment-token.ts';
import { AuthLayout } from '../sign-in/auth-layout.tsx';

const MIN_PASSWORD = 8;

/** Opened by the link of an invitation. */
export function JoinPage() {
  const { t } = useTranslation('join');
  const router = useRouter();
  const token = useFragmentToken();
  const joining = useMutation({
    mutationFn: (password: string) => acceptInvitation({ token, password }),
    onSuccess: (member) => {
      queryClient.clear();
      queryClient.setQueryData(memberQuery.queryKey, member);
      void router.navigate({ to: '/' });
    },
  });
  const errors = fieldErrors(joining.error);
  const isVoid = token === '' || errors['token'] !== undefined;
  if (isVoid)
    return (
      <AuthLayout title={t('title')}>
        <Text role={joining.isError ? 'alert' : undefined}>{token === '' ? t('noToken') : t('void')}</Text>
        <Button component="a" href="/sign-in" variant="default">
          {t('signIn')}
        </Button>
      </AuthLayout>
    );
  return (
    <AuthLayout title={t('title')}>
      <Text>{t('text')}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          joining.mutate(formValue(new FormData(event.currentTarget), 'password'));
        }}
      >
        <Stack>
          <PasswordInput
            name="password"
            label={t('password')}
            description={t('passwordHint', { count: MIN_PASSWORD })}
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
            error={errors['password']}
          />
          {joining.isError && <ErrorAlert error={joining.error} except={['password']} />}
          <Button type="submit" loading={joining.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

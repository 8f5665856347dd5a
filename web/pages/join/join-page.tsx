import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
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
  const { t } = useTranslation(['join', 'signIn']);
  const [needsCode, setNeedsCode] = useState(false);
  const router = useRouter();
  const token = useFragmentToken();
  const joining = useMutation({
    mutationFn: (credentials: { password: string; code?: string }) => acceptInvitation({ token, ...credentials }),
    onError: (error) => {
      if (problemOf(error).kind === 'codeNeeded') setNeedsCode(true);
    },
    onSuccess: (member) => {
      queryClient.clear();
      queryClient.setQueryData(memberQuery.queryKey, member);
      void router.navigate({ to: '/' });
    },
  });
  const isRefused = joining.isError && problemOf(joining.error).kind !== 'codeNeeded';
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
          const form = new FormData(event.currentTarget);
          const code = formValue(form, 'code').trim();
          joining.mutate({ password: formValue(form, 'password'), ...(code !== '' && { code }) });
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
          {needsCode && (
            <TextInput
              name="code"
              label={t('signIn:code')}
              description={t('signIn:codeHint')}
              autoComplete="one-time-code"
              autoFocus
              required
            />
          )}
          {isRefused && <ErrorAlert error={joining.error} except={['password']} />}
          <Button type="submit" loading={joining.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

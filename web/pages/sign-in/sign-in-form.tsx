import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { type Credentials, signIn } from '../../api/session.ts';
import type { Member } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { formValue } from '../../components/form-value.ts';

/** Asks for a two-factor code only if the service requires one. */
export function SignInForm({ onDone }: { onDone: (member: Member) => void }) {
  const { t } = useTranslation('signIn');
  const [needsCode, setNeedsCode] = useState(false);
  const entering = useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    onSuccess: onDone,
    onError: (error) => {
      if (problemOf(error).kind === 'codeNeeded') setNeedsCode(true);
    },
  });
  const submit = (form: FormData): void => {
    const code = formValue(form, 'code').trim();
    entering.mutate({
      email: formValue(form, 'email'),
      password: formValue(form, 'password'),
      ...(code !== '' && { code }),
    });
  };
  const isRefused = entering.isError && problemOf(entering.error).kind !== 'codeNeeded';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        <TextInput name="email" type="email" label={t('email')} autoComplete="username" required data-autofocus />
        <PasswordInput name="password" label={t('password')} autoComplete="current-password" required />
        {needsCode && (
          <TextInput
            name="code"
            label={t('code')}
            description={t('codeHint')}
            autoComplete="one-time-code"
            autoFocus
            required
          />
        )}
        {isRefused && <ErrorAlert error={entering.error} />}
        <Button type="submit" loading={entering.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

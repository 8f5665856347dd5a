import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { type Credentials, isSetUpQuery, signIn } from '../../api/session.ts';
import type { Member } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { formValue } from '../../components/form-value.ts';
import { PasskeyButton } from './passkey-button.tsx';

type Accepted = Pick<Credentials, 'email' | 'password'>;

/** Asks for a two-factor code only if the service requires one. */
export function SignInForm({ onDone }: { onDone: (member: Member) => void }) {
  const { t } = useTranslation('signIn');
  const { data: setUp } = useQuery(isSetUpQuery);
  const keepDays = setUp?.session_keep_days ?? 0;
  const form = useRef<HTMLFormElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  // The address and password that need a code: with them, only the code can be wrong.
  const [accepted, setAccepted] = useState<Accepted>();
  const entering = useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    onSuccess: onDone,
    onError: (error, { email, password, code }) => {
      const { kind } = problemOf(error);
      if (kind === 'codeNeeded') setAccepted({ email, password });
      if (kind !== 'wrongSignIn' || code === undefined || !codeInput.current) return;
      codeInput.current.value = '';
      codeInput.current.focus();
    },
  });
  const submit = (form: FormData): void => {
    const code = formValue(form, 'code').trim();
    entering.mutate({
      email: formValue(form, 'email'),
      password: formValue(form, 'password'),
      ...(code !== '' && { code }),
      ...(form.has('keep') && { keep_signed_in: true }),
    });
  };
  const problem = entering.isError ? problemOf(entering.error).kind : undefined;
  const sent = entering.variables;
  const isCodeWrong =
    problem === 'wrongSignIn' &&
    sent?.code !== undefined &&
    sent.email === accepted?.email &&
    sent.password === accepted.password;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        <TextInput name="email" type="email" label={t('email')} autoComplete="username" required data-autofocus />
        <PasswordInput name="password" label={t('password')} autoComplete="current-password" required />
        {accepted && (
          <TextInput
            ref={codeInput}
            name="code"
            label={t('code')}
            description={t('codeHint')}
            error={isCodeWrong && t('wrongCode')}
            autoComplete="one-time-code"
            autoFocus
            required
          />
        )}
        {keepDays > 0 && <Checkbox name="keep" label={t('keep')} description={t('keepHint', { count: keepDays })} />}
        {problem !== undefined && problem !== 'codeNeeded' && !isCodeWrong && <ErrorAlert error={entering.error} />}
        <Button type="submit" loading={entering.isPending}>
          {t('submit')}
        </Button>
        <PasskeyButton isKept={() => form.current !== null && new FormData(form.current).has('keep')} onDone={onDone} />
      </Stack>
    </form>
  );
}

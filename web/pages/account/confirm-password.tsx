import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Proof } from '../../api/members.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';

type Props = {
  readonly verb: string;
  readonly colour?: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onProof: (proof: Proof) => void;
  /** Two-factor authentication is on, so a code is required too. */
  readonly withCode?: boolean;
  readonly children: ReactNode;
};

/** Asks for the password again before sensitive changes. */
export function ConfirmPassword({ verb, colour = 'water', isBusy, error, onProof, withCode = false, children }: Props) {
  const { t } = useTranslation('account');
  const errors = fieldErrors(error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const code = withCode ? { code: formValue(form, 'code').trim() } : {};
        onProof({ password: formValue(form, 'password'), ...code });
      }}
    >
      <Stack>
        {children}
        <PasswordInput
          name="password"
          label={t('factor.password')}
          autoComplete="current-password"
          required
          data-autofocus
          error={errors['password']}
        />
        {withCode && <CodeInput error={errors['code']} />}
        {error !== null && error !== undefined && <ErrorAlert error={error} except={['password', 'code']} />}
        <Group justify="flex-end">
          <Button type="submit" color={colour} loading={isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Code of the authenticator app or a recovery code. */
export function CodeInput({ error }: { error: string | undefined }) {
  const { t } = useTranslation('account');
  return <TextInput name="code" label={t('factor.anyCode')} autoComplete="one-time-code" required error={error} />;
}

import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Proof } from '../../api/members.ts';
import { ProblemNote } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formText } from '../../components/form-value.ts';

type Props = {
  readonly verb: string;
  readonly colour?: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onProof: (proof: Proof) => void;
  /** A second factor is on, so a code is required as well. */
  readonly withCode?: boolean;
  readonly children: ReactNode;
};

/** For what takes more than to be signed in. */
export function ProvePassword({ verb, colour = 'water', isBusy, error, onProof, withCode = false, children }: Props) {
  const { t } = useTranslation('account');
  const errors = fieldErrors(error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const code = withCode ? { code: formText(form, 'code').trim() } : {};
        onProof({ password: formText(form, 'password'), ...code });
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
        {error !== null && error !== undefined && <ProblemNote error={error} except={['password', 'code']} />}
        <Group justify="flex-end">
          <Button type="submit" color={colour} loading={isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A code of the second factor, or a recovery code. */
export function CodeInput({ error }: { error: string | undefined }) {
  const { t } = useTranslation('account');
  return <TextInput name="code" label={t('factor.anyCode')} autoComplete="one-time-code" required error={error} />;
}

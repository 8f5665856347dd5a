import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../parts/field-errors.ts';
import { formText } from '../../parts/form-text.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';

type Props = {
  readonly verb: string;
  readonly colour?: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onPassword: (password: string) => void;
  readonly children: ReactNode;
};

/** For what takes more than to be signed in. */
export function ProvePassword({ verb, colour = 'water', isBusy, error, onPassword, children }: Props) {
  const { t } = useTranslation('account');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(formText(new FormData(event.currentTarget), 'password'));
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
          error={fieldErrors(error)['password']}
        />
        {error !== null && error !== undefined && <ProblemNote error={error} except={['password']} />}
        <Group justify="flex-end">
          <Button type="submit" color={colour} loading={isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

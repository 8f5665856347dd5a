import { Alert, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addPasskey, PasskeyError } from '../../api/passkeys.ts';
import { memberQuery } from '../../api/session.ts';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone } from '../../components/notify.tsx';
import { ConfirmPassword } from './confirm-password.tsx';

const MAX_NAME = 64;

export function AddPasskey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const { data: member } = useQuery(memberQuery);
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: (passkey) => {
      onDone();
      notifyDone(t('passkeys.added', { name: passkey.name }));
    },
  });
  const failure = adding.error instanceof PasskeyError ? adding.error : undefined;
  return (
    <ConfirmPassword
      verb={t('passkeys.add')}
      isBusy={adding.isPending}
      error={failure ? null : adding.error}
      withCode={member?.second_factor_enabled ?? false}
      onProof={(proof) => adding.mutate({ name, proof })}
    >
      <Text>{t('passkeys.addText')}</Text>
      {failure && (
        <Alert color="orange" variant="light" role="alert">
          {t(`passkeys.${failure.why}`, { host: failure.host })}
        </Alert>
      )}
      <TextInput
        label={t('passkeys.name')}
        description={t('passkeys.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        required
        maxLength={MAX_NAME}
        error={fieldErrors(adding.error)['name']}
      />
    </ConfirmPassword>
  );
}

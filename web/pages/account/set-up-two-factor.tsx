import { Alert, Button, Center, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TwoFactorSecret } from '../../api/account-wire.ts';
import { problemOf } from '../../api/api-error.ts';
import { confirmTwoFactor, setUpTwoFactor } from '../../api/members.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { formValue } from '../../components/form-value.ts';
import { ConfirmPassword } from './confirm-password.tsx';
import { RecoveryCodesView } from './recovery-codes.tsx';

const QrCode = lazy(() => import('../../components/qr-code.tsx').then((module) => ({ default: module.QrCode })));

type Stage =
  | { readonly kind: 'password'; readonly isRetry: boolean }
  | { readonly kind: 'scan'; readonly factor: TwoFactorSecret; readonly wrongCodes: number }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

// The service then discards the secret, so the QR code is invalid.
const MAX_WRONG_CODES = 5;

/** Steps: confirm the password, scan the QR code and enter a code, store the recovery codes. */
export function SetUpTwoFactor({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const [stage, setStage] = useState<Stage>({ kind: 'password', isRetry: false });
  const starting = useMutation({
    mutationFn: setUpTwoFactor,
    onSuccess: (factor) => setStage({ kind: 'scan', factor, wrongCodes: 0 }),
  });
  const confirming = useMutation({
    mutationFn: confirmTwoFactor,
    onSuccess: ({ recovery_codes: codes }) => setStage({ kind: 'codes', codes }),
    onError: (error) => {
      if (problemOf(error).kind !== 'refused' || stage.kind !== 'scan') return;
      const wrongCodes = stage.wrongCodes + 1;
      setStage(wrongCodes < MAX_WRONG_CODES ? { ...stage, wrongCodes } : { kind: 'password', isRetry: true });
    },
  });
  switch (stage.kind) {
    case 'password':
      return (
        <ConfirmPassword
          verb={t('factor.next')}
          isBusy={starting.isPending}
          error={starting.error}
          onProof={(proof) => starting.mutate(proof)}
        >
          {stage.isRetry ? (
            <Alert color="red" role="alert">
              {t('factor.wrongCode')}
            </Alert>
          ) : (
            <Text>{t('factor.beginText')}</Text>
          )}
        </ConfirmPassword>
      );
    case 'scan':
      return (
        <Scan
          factor={stage.factor}
          isBusy={confirming.isPending}
          isWrong={stage.wrongCodes > 0 && !confirming.isPending}
          error={confirming.error}
          onCode={(code) => confirming.mutate(code)}
        />
      );
    case 'codes':
      return <RecoveryCodesView codes={stage.codes} onDone={onDone} />;
  }
}

type ScanProps = {
  readonly factor: TwoFactorSecret;
  readonly isBusy: boolean;
  readonly isWrong: boolean;
  readonly error: unknown;
  readonly onCode: (code: string) => void;
};

function Scan({ factor, isBusy, isWrong, error, onCode }: ScanProps) {
  const { t } = useTranslation('account');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(formValue(new FormData(event.currentTarget), 'code').trim());
      }}
    >
      <Stack>
        <Text>{t('factor.scan')}</Text>
        <Center mih={200}>
          <Suspense fallback={<Loader />}>
            <QrCode text={factor.uri} label={t('factor.qr')} size={200} />
          </Suspense>
        </Center>
        <Text size="sm">{t('factor.typeSecret')}</Text>
        <CodeBlock text={factor.secret} label={t('factor.secret')} />
        <TextInput
          name="code"
          label={t('factor.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          data-autofocus
          error={isWrong && t('factor.tryAgain')}
        />
        {error !== null && <ErrorAlert error={error} except={['code']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('factor.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

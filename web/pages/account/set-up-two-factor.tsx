import { Alert, Button, Center, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecondFactor } from '../../api/account-wire.ts';
import { problemOf } from '../../api/api-error.ts';
import { beginSecondFactor, confirmSecondFactor } from '../../api/members.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ProblemNote } from '../../components/error-alert.tsx';
import { formText } from '../../components/form-value.ts';
import { ProvePassword } from './confirm-password.tsx';
import { ShownRecoveryCodes } from './recovery-codes.tsx';

const QrCode = lazy(() => import('../../components/qr-code.tsx').then((module) => ({ default: module.QrCode })));

type Stage =
  | { readonly kind: 'password'; readonly isAgain: boolean }
  | { readonly kind: 'scan'; readonly factor: SecondFactor }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** Password, then the picture and a code of the app, then the recovery codes. */
export function BeginSecondFactor({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const [stage, setStage] = useState<Stage>({ kind: 'password', isAgain: false });
  const beginning = useMutation({
    mutationFn: beginSecondFactor,
    onSuccess: (factor) => setStage({ kind: 'scan', factor }),
  });
  const confirming = useMutation({
    mutationFn: confirmSecondFactor,
    onSuccess: ({ recovery_codes: codes }) => setStage({ kind: 'codes', codes }),
    // With a wrong code what was begun is over, and the picture is good for nothing any more.
    onError: (error) => {
      if (problemOf(error).kind === 'refused') setStage({ kind: 'password', isAgain: true });
    },
  });
  switch (stage.kind) {
    case 'password':
      return (
        <ProvePassword
          verb={t('factor.next')}
          isBusy={beginning.isPending}
          error={beginning.error}
          onProof={(proof) => beginning.mutate(proof)}
        >
          {stage.isAgain ? (
            <Alert color="red" role="alert">
              {t('factor.wrongCode')}
            </Alert>
          ) : (
            <Text>{t('factor.beginText')}</Text>
          )}
        </ProvePassword>
      );
    case 'scan':
      return (
        <Scan
          factor={stage.factor}
          isBusy={confirming.isPending}
          error={confirming.error}
          onCode={(code) => confirming.mutate(code)}
        />
      );
    case 'codes':
      return <ShownRecoveryCodes codes={stage.codes} onDone={onDone} />;
  }
}

type ScanProps = {
  readonly factor: SecondFactor;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onCode: (code: string) => void;
};

function Scan({ factor, isBusy, error, onCode }: ScanProps) {
  const { t } = useTranslation('account');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(formText(new FormData(event.currentTarget), 'code').trim());
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
        />
        {error !== null && <ProblemNote error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('factor.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

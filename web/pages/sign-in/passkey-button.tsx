import { Alert, Button, Divider } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { PasskeyError, passkeyObstacle, signInWithPasskey } from '../../api/passkeys.ts';
import type { Member } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';

type Props = { readonly isKept: () => boolean; readonly onDone: (member: Member) => void };

/** Absent where browsers have no passkeys. */
export function PasskeyButton({ isKept, onDone }: Props) {
  const { t } = useTranslation('signIn');
  const entering = useMutation({ mutationFn: () => signInWithPasskey(isKept()), onSuccess: onDone });
  if (passkeyObstacle()) return null;
  const { error } = entering;
  return (
    <>
      <Divider label={t('passkey.or')} />
      <Button
        variant="default"
        leftSection={<IconKey size={18} aria-hidden />}
        loading={entering.isPending}
        onClick={() => entering.mutate()}
      >
        {t('passkey.submit')}
      </Button>
      {error && <Failure error={error} />}
    </>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('signIn');
  const isRefused = problemOf(error).kind === 'wrongSignIn';
  if (!isRefused && !(error instanceof PasskeyError)) return <ErrorAlert error={error} />;
  return (
    <Alert color="orange" variant="light" role="alert">
      {error instanceof PasskeyError && error.why === 'otherHost'
        ? t('passkey.otherHost', { host: error.host })
        : t(isRefused ? 'passkey.refused' : 'passkey.cancelled')}
    </Alert>
  );
}

import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAuthState } from '../api/auth-state.ts';
import { queryClient } from '../api/query-client.ts';
import { Dialog } from '../components/dialog.tsx';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';

/** Shown over the page, so that typed input is kept. */
export function ReauthDialog() {
  const { t } = useTranslation();
  const isExpired = useAuthState() === 'expired';
  return (
    <Dialog
      opened={isExpired}
      onClose={() => undefined}
      // Above any open dialog.
      zIndex={400}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('ended.title')}
    >
      <Stack>
        <Text>{t('ended.text')}</Text>
        <SignInForm onDone={() => void queryClient.invalidateQueries()} />
      </Stack>
    </Dialog>
  );
}

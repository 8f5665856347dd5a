import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../api/auth-state.ts';
import { queryClient } from '../api/query-client.ts';
import { Dialog } from '../components/dialog.tsx';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';

/** Over the page, not in its place: whatever was typed there is still there afterwards. */
export function SessionEnded() {
  const { t } = useTranslation();
  const isEnded = useSignedIn() === 'ended';
  return (
    <Dialog
      opened={isEnded}
      onClose={() => undefined}
      // Over whatever dialog is open.
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

import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/dialog.tsx';

/** zIndex: above any open dialog, like the re-authentication dialog. */
export function IdleWarning({ isShown, onStay }: { isShown: boolean; onStay: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened={isShown} onClose={onStay} zIndex={400} withCloseButton={false} title={t('endsSoon.title')}>
      <Stack>
        <Text>{t('endsSoon.text')}</Text>
        <Button onClick={onStay} data-autofocus>
          {t('endsSoon.stay')}
        </Button>
      </Stack>
    </Dialog>
  );
}

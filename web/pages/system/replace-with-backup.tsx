import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setSignedOut } from '../../api/auth-state.ts';
import { sendBackup } from '../../api/restore.ts';
import { Dialog } from '../../components/dialog.tsx';
import { RestoreBackup } from '../../components/restore-backup.tsx';

/** Replaces all accounts with those of a backup file. */
export function ReplaceWithBackup({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation('system');
  const { t: ofSetUp } = useTranslation('setUp');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={ofSetUp('restore.title')} closeOnClickOutside={false}>
      <RestoreBackup
        send={async (sending) => {
          const summary = await sendBackup({ ...sending, at: 'system' });
          if (sending.action === 'restore') setSignedOut();
          return summary;
        }}
        what={t('backup.replaces')}
        done={({ accounts }) => (
          <Stack>
            <Alert color="green" variant="light" role="status">
              <Text>{t('backup.replaced', { count: accounts })}</Text>
            </Alert>
            {/* All sessions have ended: a new document forgets what this one has loaded. */}
            <Button component="a" href="/sign-in">
              {t('backup.signIn')}
            </Button>
          </Stack>
        )}
        back={t('backup.cancel')}
        onBack={onClose}
      />
    </Dialog>
  );
}

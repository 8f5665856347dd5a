import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconDownload, IconRestore } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BACKUP_URL, backUp, type System } from '../../api/system.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useBytes } from '../../components/use-bytes.ts';
import { ReplaceWithBackup } from './replace-with-backup.tsx';

export function Backup({ last }: { last: System['last_backup'] }) {
  const { t } = useTranslation('system');
  const bytes = useBytes();
  const [isRestoring, restoring] = useDisclosure(false);
  const making = useAction(backUp, { onDone: () => notifyDone(t('backup.done')) });
  return (
    <Section
      title={t('backup.title')}
      text={t('backup.text')}
      actions={
        <Button
          variant="default"
          leftSection={<IconArchive size={18} stroke={1.6} />}
          loading={making.isPending}
          onClick={() => making.mutate()}
        >
          {t('backup.make')}
        </Button>
      }
    >
      {last ? (
        <>
          <Text size="sm">
            {t('backup.last')} <TimeAgo millis={Date.parse(last.time_created)} />, {bytes(last.size_bytes)}
          </Text>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" className="untrusted-text" dir="ltr">
              {last.file}
            </Text>
            <CopyButton text={last.file} label={t('backup.file')} />
          </Group>
          <Group gap="sm">
            <Button
              component="a"
              href={BACKUP_URL}
              download
              variant="default"
              size="compact-sm"
              leftSection={<IconDownload size={16} stroke={1.6} />}
            >
              {t('backup.download')}
            </Button>
          </Group>
        </>
      ) : (
        <Text size="sm">{t('backup.none')}</Text>
      )}
      <Group>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconRestore size={16} stroke={1.6} />}
          onClick={restoring.open}
        >
          {t('backup.restore')}
        </Button>
      </Group>
      <ReplaceWithBackup isOpen={isRestoring} onClose={restoring.close} />
    </Section>
  );
}

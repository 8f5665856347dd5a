import { Button, Code, Group, Text } from '@mantine/core';
import { IconArchive, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BACKUP_URL, backUp, type System } from '../../api/system.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useBytes } from '../../components/use-bytes.ts';

export function Backup({ last }: { last: System['last_backup'] }) {
  const { t } = useTranslation('system');
  const bytes = useBytes();
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
            <Text size="sm" c="dimmed">
              {t('backup.restore')} <Code>weir restore --file …</Code>
            </Text>
          </Group>
        </>
      ) : (
        <Text size="sm">{t('backup.none')}</Text>
      )}
    </Section>
  );
}

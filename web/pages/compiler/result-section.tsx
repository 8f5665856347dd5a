import { Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCopy, IconDownload, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAuthState } from '../../api/auth-state.ts';
import { copyText } from '../../components/copy-text.ts';
import { useFormat } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Section } from '../../components/section.tsx';
import { Stats } from '../../components/stats.tsx';
import { useBytes } from '../../components/use-bytes.ts';
import { queryWorker } from './compilation.ts';
import { Difference } from './difference.tsx';
import { DroppedRules } from './dropped-rules.tsx';
import { LineView } from './line-view.tsx';
import { UseAsList } from './use-as-list.tsx';
import type { CompileJob, Summary } from './worker-messages.ts';

type Props = { readonly job: CompileJob; readonly summary: Summary; readonly version: string };

export function ResultSection({ job, summary, version }: Props) {
  const { t } = useTranslation('compiler');
  const { number } = useFormat();
  const bytes = useBytes();
  // The page may be open to clients without an account, who have no lists.
  const hasSession = ['signed in', 'expired'].includes(useAuthState());
  const { name } = job.configuration;
  const { dropped, difference } = summary;
  const file = (): Promise<Blob> => queryWorker<Blob>({ kind: 'file' });
  const copy = async (): Promise<void> => {
    await copyText(await (await file()).text());
    notifyDone(t('result.copied'));
  };
  return (
    <Section
      title={t('result.title')}
      actions={
        <Group gap="xs">
          <Button variant="default" size="xs" leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
            {t('result.copy')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} />}
            onClick={() => void file().then((blob) => saveFile(`${name}.txt`, blob))}
          >
            {t('result.download')}
          </Button>
          {hasSession && <UseAsList job={job} />}
        </Group>
      }
    >
      <Stats
        stats={[
          { label: t('result.rules'), value: number(summary.rules) },
          { label: t('result.read'), value: number(summary.linesRead) },
          { label: t('result.size'), value: bytes(summary.bytes) },
          {
            label: t('result.time'),
            value: number(summary.durationMs / 1000, { style: 'unit', unit: 'second', maximumFractionDigits: 2 }),
          },
        ]}
      />
      <Tabs defaultValue="list" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="list">{t('result.list')}</Tabs.Tab>
          <Tabs.Tab value="dropped">
            {t('result.dropped', { count: dropped.length, number: number(dropped.length) })}
          </Tabs.Tab>
          <Tabs.Tab value="difference">
            {difference
              ? t('result.differs', { added: number(difference.added), removed: number(difference.removed) })
              : t('result.difference')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <Lines count={summary.lines} version={version} />
        </Tabs.Panel>
        <Tabs.Panel value="dropped">
          <DroppedRules rules={dropped} />
        </Tabs.Panel>
        <Tabs.Panel value="difference">
          <Difference difference={difference} version={version} />
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}

const DEBOUNCE_MS = 250;

function Lines({ count, version }: { count: number; version: string }) {
  const { t } = useTranslation('compiler');
  const { number } = useFormat();
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const search = useQuery({
    queryKey: ['found lines', version, query],
    queryFn: () => queryWorker<number>({ kind: 'find', text: query }),
    enabled: query !== '',
    gcTime: 0,
    staleTime: 0,
  });
  const hasResult = query !== '' && search.data !== undefined;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          aria-label={t('lines.find')}
          placeholder={t('lines.find')}
          leftSection={<IconSearch size={16} aria-hidden />}
          dir="ltr"
          w={{ base: '100%', sm: 320 }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {hasResult ? t('lines.found', { count: search.data, number: number(search.data) }) : ''}
        </Text>
      </Group>
      {hasResult ? (
        <LineView of="found" count={search.data} version={`${version} ${query}`} label={t('lines.label')} />
      ) : (
        <LineView of="list" count={count} version={version} label={t('lines.label')} />
      )}
    </Stack>
  );
}

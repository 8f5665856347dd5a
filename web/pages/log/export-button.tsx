import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { companiesQuery } from '../../api/catalogue.ts';
import { devicesQuery } from '../../api/devices.ts';
import type { LogFilters } from '../../api/log.ts';
import { queryClient } from '../../api/query-client.ts';
import { serversQuery } from '../../api/servers.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useFormat } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { type Period, rangeOf } from '../../components/period.ts';
import { saveFile } from '../../components/save-file.ts';
import { useListName } from '../../components/use-list-name.ts';
import { type ExportKind, type ExportNames, type ExportProgress, exportLog } from './export-log.ts';

const kinds = ['csv', 'json'] as const;

type Named = { readonly id: string; readonly name: string };

/** Deleted devices and servers have no name: their id is exported. */
async function readNames(list: (id: string) => string): Promise<ExportNames> {
  const [devices, servers, companies] = await Promise.all([
    queryClient.fetchQuery(devicesQuery),
    queryClient.fetchQuery(serversQuery),
    queryClient.fetchQuery(companiesQuery),
  ]);
  const nameIn = (items: readonly Named[]) => {
    const names = new Map(items.map(({ id, name }) => [id, name]));
    return (id: string): string => names.get(id) ?? id;
  };
  return { device: nameIn(devices), profile: nameIn(servers), company: nameIn(companies), list };
}

type State = { readonly progress: ExportProgress } | { readonly error: unknown };

/** Exports all matching queries, not only the loaded ones. */
export function ExportButton({ filters, period }: { filters: LogFilters; period: Period }) {
  const { t } = useTranslation(['log', 'common']);
  const { number } = useFormat();
  const listName = useListName();
  const [state, setState] = useState<State>();
  const abortController = useRef<AbortController>(undefined);
  const close = (): void => {
    abortController.current?.abort();
    setState(undefined);
  };
  const run = async (kind: ExportKind): Promise<void> => {
    const stop = new AbortController();
    abortController.current = stop;
    const range = rangeOf(period, Date.now());
    setState({ progress: { kind: 'going on', rows: 0, share: 0 } });
    try {
      const names = await readNames(listName);
      for await (const progress of exportLog({ kind, filters, ...range, names }, stop.signal)) {
        if (stop.signal.aborted) return;
        setState({ progress });
        if (progress.kind !== 'done') continue;
        saveFile(`query-log-${new Date(range.to).toISOString().slice(0, 10)}.${kind}`, progress.file);
        notifyDone(t('export.done', { count: progress.rows, rows: number(progress.rows) }));
        setState(undefined);
      }
    } catch (error) {
      if (!stop.signal.aborted) setState({ error });
    }
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={17} stroke={1.6} />}>
            {t('export.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => void run(kind)}>
              {t(`export.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={state !== undefined} onClose={close} closeOnClickOutside={false} title={t('export.title')}>
        <Stack>
          {state &&
            ('error' in state ? <ErrorAlert error={state.error} /> : <ExportStatus progress={state.progress} />)}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function ExportStatus({ progress }: { progress: ExportProgress }) {
  const { t } = useTranslation('log');
  const { number } = useFormat();
  const share = progress.kind === 'done' ? 1 : progress.share;
  return (
    <>
      <Progress.Root size="lg">
        <Progress.Section value={100 * share} aria-label={t('export.title')} />
      </Progress.Root>
      <Text size="sm" role="status">
        {progress.kind === 'waiting'
          ? t('export.waiting')
          : t('export.rows', { count: progress.rows, rows: number(progress.rows) })}
      </Text>
    </>
  );
}

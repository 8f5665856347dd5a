import { Alert, Button, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { clientNames } from './client-names.ts';
import { ExportButton } from './export-button.tsx';
import { LogDetails } from './log-details.tsx';
import { LogFilters } from './log-filters.tsx';
import { createLogRows, type LogRow, type LogRows } from './log-rows.ts';
import { filtersOf, type LogSearch, periodOf, readLogSearch } from './log-search.ts';
import { LogTable } from './log-table.tsx';
import { useLiveLog } from './use-live-log.ts';

const AT_TOP_PX = 8;

export function LogPage() {
  const { t } = useTranslation('log');
  const search = useSearch({ from: '/shell/log' });
  const navigate = useNavigate({ from: '/log' });
  const change = useCallback(
    (change: LogSearch, how?: 'typing') =>
      void navigate({
        search: (before) => readLogSearch({ ...before, ...change }),
        // Typing does not add history entries.
        replace: how === 'typing',
        resetScroll: false,
      }),
    [navigate],
  );
  // Serialised so that equal filters keep the same rows across renders.
  const searchKey = JSON.stringify(search);
  const { filters, period, rows } = useMemo(() => {
    const search = JSON.parse(searchKey) as LogSearch;
    const [filters, period] = [filtersOf(search), periodOf(search)];
    return { filters, period, rows: createLogRows(filters, period) };
  }, [searchKey]);
  useEffect(() => rows.start(), [rows]);
  const [isLive, setLive] = useState(false);
  const canBeLive = period.kind === 'last';
  return (
    <>
      <PageHeader
        title={t('title')}
        text={t('text')}
        actions={
          <>
            <ExportButton filters={filters} period={period} />
            {canBeLive && (
              <Button
                variant={isLive ? 'filled' : 'default'}
                aria-pressed={isLive}
                leftSection={isLive ? <IconPlayerPause size={17} /> : <IconPlayerPlay size={17} />}
                onClick={() => setLive(!isLive)}
              >
                {isLive ? t('live.pause') : t('live.follow')}
              </Button>
            )}
          </>
        }
      />
      <LogFilters search={search} onChange={change} />
      <Queries rows={rows} filters={filters} isLive={isLive && canBeLive} onFilter={change} />
    </>
  );
}

type QueriesProps = {
  readonly rows: LogRows;
  readonly filters: ReturnType<typeof filtersOf>;
  readonly isLive: boolean;
  readonly onFilter: (change: LogSearch) => void;
};

function Queries({ rows, filters, isLive, onFilter }: QueriesProps) {
  const { t } = useTranslation('log');
  const state = rows.use();
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<LogRow>();
  const isAtTop = (): boolean => (scroller.current?.scrollTop ?? 0) <= AT_TOP_PX;
  const liveState = useLiveLog(filters, isLive, {
    // Queries before the stream opened are read again; duplicates are removed.
    onOpen: () => rows.noteGap(isAtTop()),
    onQueries: (items) => rows.add(items, isAtTop()),
    onMissed: () => rows.noteGap(isAtTop()),
  });
  const { data: devices } = useQuery(devicesQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const clientName = useMemo(() => {
    const names = new Map(devices?.map(({ id, name }) => [id, name]));
    const hosts = clientNames(clients?.items ?? []);
    return ({ device_id: id, client_address: address = '' }: LogRow): string =>
      id === '' ? (hosts.get(address) ?? address) : (names.get(id) ?? id);
  }, [devices, clients]);
  const isEmpty = state.count === 0 && state.older === 'none';
  return (
    <>
      {liveState === 'refused' && (
        <Alert color="orange" role="status" mb="sm">
          {t('live.refused')}
        </Alert>
      )}
      <NewQueriesButton
        count={state.waiting}
        onShow={() => {
          rows.showWaiting();
          scroller.current?.scrollTo({ top: 0 });
        }}
      />
      {isEmpty ? (
        <EmptyState title={t('empty.title')} text={t(isLive ? 'empty.live' : 'empty.text')} action={<DevicesLink />} />
      ) : (
        <LogTable
          rows={rows}
          state={state}
          clientName={clientName}
          opened={opened}
          onOpen={setOpened}
          scroller={scroller}
        />
      )}
      <LogDetails
        row={opened}
        onClose={() => setOpened(undefined)}
        onFilter={(change) => {
          setOpened(undefined);
          onFilter(change);
        }}
      />
    </>
  );
}

function NewQueriesButton({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('log');
  const { number } = useFormat();
  if (count === 0) return null;
  return (
    <Group justify="center" mb="xs">
      <Button size="compact-sm" variant="light" onClick={onShow}>
        {t('live.waiting', { count, queries: number(count) })}
      </Button>
    </Group>
  );
}

function DevicesLink() {
  const { t } = useTranslation('log');
  return (
    <Button mt="sm" variant="light" renderRoot={(props) => <Link to="/devices" {...props} />}>
      {t('empty.action')}
    </Button>
  );
}

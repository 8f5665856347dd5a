import { Alert, Button, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RuleAction } from '../../api/domain-rule-text.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProtectionState } from '../../components/protection-state.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { ClearLogButton } from './clear-log.tsx';
import { ExportButton } from './export-button.tsx';
import { LogDetails } from './log-details.tsx';
import { LogFilters } from './log-filters.tsx';
import { createLogRows, type LogRow, type LogRows } from './log-rows.ts';
import { filtersOf, hasFilters, type LogSearch, noFilters, periodOf, readLogSearch } from './log-search.ts';
import { LogTable } from './log-table.tsx';
import { type RowDecision, RowRuleMenu } from './rule-menu.tsx';
import { useLiveLog } from './use-live-log.ts';
import { useRowClient } from './use-row-client.ts';

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
        state={<ProtectionState />}
        text={t('text')}
        actions={
          <>
            <ClearLogButton onDone={rows.restart} />
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
      <Queries
        rows={rows}
        filters={filters}
        isLive={isLive && canBeLive}
        isFiltered={hasFilters(search)}
        onFilter={change}
      />
    </>
  );
}

type QueriesProps = {
  readonly rows: LogRows;
  readonly filters: ReturnType<typeof filtersOf>;
  readonly isLive: boolean;
  readonly isFiltered: boolean;
  readonly onFilter: (change: LogSearch) => void;
};

function Queries({ rows, filters, isLive, isFiltered, onFilter }: QueriesProps) {
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
  const canEdit = useCanEdit();
  const { clientOf, deviceOf } = useRowClient();
  const [decision, setDecision] = useState<RowDecision>();
  const offerDecision = (row: LogRow, action: RuleAction, element: HTMLElement): void =>
    setDecision({ row, action, element, device: deviceOf(row) });
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
        <NoQueries isLive={isLive} onClear={isFiltered ? () => onFilter(noFilters) : undefined} />
      ) : (
        <LogTable
          rows={rows}
          state={state}
          clientOf={clientOf}
          opened={opened}
          onOpen={setOpened}
          onDecide={canEdit ? offerDecision : undefined}
          scroller={scroller}
          onScroll={() => setDecision(undefined)}
        />
      )}
      <RowRuleMenu decision={decision} onClose={() => setDecision(undefined)} />
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

/** With filters the likely reason is the filters, otherwise that no device is connected. */
function NoQueries({ isLive, onClear }: { isLive: boolean; onClear: (() => void) | undefined }) {
  const { t } = useTranslation('log');
  if (onClear)
    return (
      <EmptyState
        title={t('noMatch.title')}
        text={t('noMatch.text')}
        action={
          <Button mt="sm" variant="light" onClick={onClear}>
            {t('noMatch.action')}
          </Button>
        }
      />
    );
  return (
    <EmptyState title={t('empty.title')} text={t(isLive ? 'empty.live' : 'empty.text')} action={<DevicesLink />} />
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

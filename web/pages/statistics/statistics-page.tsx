import { Button, Group, Paper, Stack, Switch, Tabs, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Subject, statisticsRowsQuery, subjects } from '../../api/statistics-rows.ts';
import { previousPeriod } from '../../components/complete-buckets.ts';
import { csvLine } from '../../components/csv.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { periodText } from '../../components/period.ts';
import { saveFile } from '../../components/save-file.ts';
import { TabList } from '../../components/tab-list.tsx';
import { ScopePicker } from '../dashboard/scope-picker.tsx';
import { scopeOf } from '../dashboard/scope-search.ts';
import { type ComparedRow, compareRows, type SortColumn, shareOf } from './comparison.ts';
import { readStatisticsSearch, type StatisticsSearch } from './statistics-search.ts';
import { StatisticsTable } from './statistics-table.tsx';
import { useRowName } from './use-row-name.ts';

/** Statistics as sortable tables with comparison and export. */
export function StatisticsPage() {
  const { t } = useTranslation('statistics');
  const search = useSearch({ from: '/shell/statistics' });
  const navigate = useNavigate({ from: '/statistics' });
  const by = search.by ?? 'domains';
  const isCompared = search.compare === 'yes';
  const change = (change: Readonly<Record<string, string>>): void =>
    void navigate({ search: (before) => readStatisticsSearch({ ...before, ...change }), resetScroll: false });
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} />
      <Stack>
        <Group justify="space-between">
          <ScopePicker search={search} onChange={change} />
          <Switch
            label={t('compare')}
            checked={isCompared}
            onChange={(event) => change({ compare: event.currentTarget.checked ? 'yes' : '' })}
          />
        </Group>
        <Tabs value={by} onChange={(next) => next !== null && change({ by: next })} keepMounted={false}>
          <TabList
            label={t('title')}
            tabs={subjects.map((name) => ({ name, text: t(`tabs.${name}`) }))}
            value={by}
            onChange={(next) => change({ by: next })}
            from="lg"
          />
          {subjects.map((subject) => (
            <Tabs.Panel key={subject} value={subject} pt="md">
              <Rows by={subject} search={search} isCompared={isCompared} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </>
  );
}

const columnsOf = (by: Subject, isCompared: boolean): readonly SortColumn[] => [
  'key',
  'queries',
  ...(by === 'categories' ? [] : (['blocked', 'share'] as const)),
  ...(isCompared ? (['before', 'change'] as const) : []),
];

type RowsProps = { readonly by: Subject; readonly search: StatisticsSearch; readonly isCompared: boolean };

function Rows({ by, search, isCompared }: RowsProps) {
  const { t } = useTranslation('statistics');
  const nameOf = useRowName(by);
  const scope = scopeOf(search);
  const text = periodText(scope.period);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the previous period is fixed when the period is chosen
  const before = useMemo(() => previousPeriod(scope.period, Date.now()), [text]);
  const now = useQuery(statisticsRowsQuery(by, scope));
  const then = useQuery({ ...statisticsRowsQuery(by, { ...scope, period: before }), enabled: isCompared });
  if (now.isError && !now.data) return <ErrorState error={now.error} retry={now.refetch} />;
  if (isCompared && then.isError) return <ErrorState error={then.error} retry={then.refetch} />;
  if (!now.data || (isCompared && !then.data)) return <LoadingState />;
  const rows = isCompared ? compareRows(by, now.data, then.data ?? [], Date.now()) : now.data;
  if (rows.every(({ queries }) => queries === 0))
    return <EmptyState title={t('empty.title')} text={t(by === 'clients' ? 'empty.clients' : 'empty.text')} />;
  const columns = columnsOf(by, isCompared);
  return (
    <Stack gap="sm">
      <Group justify={by === 'clients' ? 'space-between' : 'flex-end'}>
        {by === 'clients' && (
          <Text size="sm" c="dimmed" flex={1} miw={220}>
            {t('clientsHint')}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          onClick={() => saveFile(`statistics-${by}.csv`, csvOf(rows, columns, by, nameOf))}
        >
          {t('export')}
        </Button>
      </Group>
      <Paper withBorder p={{ base: 'xs', sm: 'md' }}>
        <StatisticsTable by={by} rows={rows} columns={columns} nameOf={nameOf} />
      </Paper>
    </Stack>
  );
}

/** Machine-readable: column names and numbers are not localised. */
function csvOf(
  rows: readonly ComparedRow[],
  columns: readonly SortColumn[],
  by: Subject,
  nameOf: (key: string) => string,
): Blob {
  const cells: Readonly<Record<SortColumn, (row: ComparedRow) => string | number | undefined>> = {
    key: ({ key }) => (by === 'time' ? new Date(Number(key)).toISOString() : nameOf(key)),
    queries: ({ queries }) => queries,
    blocked: ({ blocked }) => blocked,
    share: (row) => shareOf(row).toFixed(4),
    before: ({ before }) => before,
    change: ({ change }) => change?.toFixed(4),
  };
  const head = csvLine(columns.map((column) => (column === 'key' ? by : column)));
  const lines = rows.map((row) => csvLine(columns.map((column) => cells[column](row))));
  return new Blob([head, ...lines], { type: 'text/csv;charset=utf-8' });
}

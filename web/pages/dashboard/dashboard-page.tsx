import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { alertsQuery } from '../../api/alerts.ts';
import { protectionQuery } from '../../api/protection.ts';
import { timeStatsQuery } from '../../api/statistics.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { periodText } from '../../components/period.ts';
import { Alerts } from './alerts.tsx';
import { ProtectionCard } from './protection-card.tsx';
import { QueriesChart } from './queries-chart.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { readScopeSearch, type ScopeSearch, scopeOf } from './scope-search.ts';
import { StatCards } from './stat-cards.tsx';
import {
  TopCategories,
  TopClients,
  TopCompanies,
  TopCountries,
  TopDevices,
  TopDomains,
  TopFilterLists,
} from './top-lists.tsx';

export function DashboardPage() {
  const { t } = useTranslation('dashboard');
  const search = useSearch({ from: '/shell/' });
  const navigate = useNavigate({ from: '/' });
  const scope = scopeOf(search);
  const { data: times } = useQuery(timeStatsQuery(scope));
  const protection = useQuery({ ...protectionQuery, enabled: scope.device === undefined });
  const alerts = useQuery(alertsQuery);
  // What follows the state and the alerts would move when they arrive.
  const isReady = !alerts.isPending && (scope.device !== undefined || !protection.isPending);
  const isEmpty = times?.every(({ value }) => value.queries === 0) ?? false;
  const change = (change: ScopeSearch): void =>
    void navigate({ search: (before) => readScopeSearch({ ...before, ...change }), resetScroll: false });
  const select = useCallback(
    (from: number, to: number): void =>
      void navigate({
        search: (before) => readScopeSearch({ ...before, period: periodText({ kind: 'range', from, to }) }),
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <>
      <PageHeader title={t('title')} actions={<ScopePicker search={search} onChange={change} />} />
      {!isReady && <LoadingState />}
      {isReady && (
        <Stack>
          <ProtectionCard device={scope.device} server={scope.server} />
          <Alerts />
          <StatCards scope={scope} />
          {isEmpty ? (
            <EmptyState
              title={t('empty.title')}
              text={t('empty.text')}
              action={
                <Button mt="sm" variant="light" renderRoot={(props) => <Link to="/devices" {...props} />}>
                  {t('empty.action')}
                </Button>
              }
            />
          ) : (
            <>
              <QueriesChart scope={scope} onSelect={select} />
              <SimpleGrid cols={{ base: 1, md: 2 }}>
                <TopDomains scope={scope} of="queries" />
                <TopDomains scope={scope} of="blocked" />
                <TopFilterLists scope={scope} />
                <TopDevices scope={scope} />
                <TopClients />
                <TopCompanies scope={scope} />
                <TopCategories scope={scope} />
                <TopCountries scope={scope} />
              </SimpleGrid>
            </>
          )}
        </Stack>
      )}
    </>
  );
}

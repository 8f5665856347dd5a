import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Scope, timeStatsQuery } from '../../api/statistics.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { Section } from '../../components/section.tsx';
import { TimeChart } from '../../components/time-chart.tsx';

const HEIGHT = 220;
const colours = { queries: '#2f9dab', blocked: '#e8590c' };

export function QueriesChart({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const { data, isError, error, refetch } = useQuery(timeStatsQuery(scope));
  // Memoised, because the chart is redrawn if the arrays change.
  const times = useMemo(() => data?.map(({ time_millis }) => time_millis) ?? [], [data]);
  const series = useMemo(
    () =>
      (['queries', 'blocked'] as const).map((of) => ({
        label: t(`figures.${of}`),
        values: data?.map(({ value }) => value[of]) ?? [],
        colour: colours[of],
      })),
    [data, t],
  );
  return (
    <Section title={t('overTime')}>
      {data ? (
        <TimeChart label={t('overTime')} times={times} series={series} height={HEIGHT} />
      ) : isError ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton h={HEIGHT} />
      )}
    </Section>
  );
}

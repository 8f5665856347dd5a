import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Scope, timeStatsQuery } from '../../api/statistics.ts';
import { isLastUnfinished } from '../../components/complete-buckets.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { Section } from '../../components/section.tsx';
import { TimeChart } from '../../components/time-chart.tsx';

const HEIGHT = 220;
/** With the legend, so that nothing moves when the chart appears. */
const WHOLE_HEIGHT = HEIGHT + 24;
const colours = { queries: '#2f9dab', blocked: '#e03131' };

type Props = { readonly scope: Scope; readonly onSelect: (from: number, to: number) => void };

export function QueriesChart({ scope, onSelect }: Props) {
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
    <Section title={t('overTime')} text={t('selectHint')}>
      {data ? (
        <TimeChart
          label={t('overTime')}
          times={times}
          series={series}
          height={HEIGHT}
          isLastUnfinished={isLastUnfinished(data, Date.now())}
          unfinishedText={t('unfinished')}
          onSelect={onSelect}
        />
      ) : isError ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton h={WHOLE_HEIGHT} />
      )}
    </Section>
  );
}

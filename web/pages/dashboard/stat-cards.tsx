import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deviceStatsQuery, rateQuery, type Scope, timeStatsQuery } from '../../api/statistics.ts';
import { useFormat } from '../../components/format.tsx';
import classes from './stat-cards.module.css';

/** Totals of the period and the current query rate. */
export function StatCards({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const { number, share } = useFormat();
  const { data: times } = useQuery(timeStatsQuery(scope));
  const { data: rate } = useQuery(rateQuery(scope));
  const { data: devices } = useQuery(deviceStatsQuery(scope));
  const sum = (of: 'queries' | 'blocked') => times?.reduce((sum, { value }) => sum + value[of], 0);
  const [queries, blocked] = [sum('queries'), sum('blocked')];
  const cards = [
    { name: t('figures.queries'), value: queries && number(queries) },
    {
      name: t('figures.blocked'),
      value: blocked && number(blocked),
      more: queries ? t('figures.share', { share: share((blocked ?? 0) / queries) }) : undefined,
    },
    { name: t('figures.rate'), value: rate && number(rate), more: t('figures.aMinute') },
    { name: t('figures.devices'), value: devices && number(devices.length) },
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} component="dl" m={0}>
      {cards.map(({ name, value, more }) => (
        <Paper key={name} withBorder p="md" className={classes['card']}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <dd className={classes['value']}>
            {value === undefined ? <Skeleton h={34} w={90} /> : <span className={classes['number']}>{value}</span>}
            {more !== undefined && (
              <Text span size="sm" c="dimmed">
                {more}
              </Text>
            )}
          </dd>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

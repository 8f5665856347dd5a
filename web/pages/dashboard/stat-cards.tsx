import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import {
  activeDevicesQuery,
  deviceStatsQuery,
  latencyStatsQuery,
  rateQuery,
  type Scope,
  timeStatsQuery,
} from '../../api/statistics.ts';
import { changeOf, completeBuckets, previousPeriod } from '../../components/complete-buckets.ts';
import { useFormat } from '../../components/format.tsx';
import { periodText } from '../../components/period.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { useLatency } from '../log/use-latency.ts';
import { BLOCKED_STATUSES, logSearch } from './log-search-of.ts';
import classes from './stat-cards.module.css';

/** Totals of the period with their course and change. */
export function StatCards({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const { number, share } = useFormat();
  const { data: times } = useQuery(timeStatsQuery(scope));
  const { data: before } = useQuery(usePrevious(scope));
  const { data: rate } = useQuery(rateQuery(scope));
  const { data: devices } = useQuery(deviceStatsQuery(scope));
  const { data: active } = useQuery(activeDevicesQuery(scope));
  const { data: all } = useQuery(devicesQuery);
  const { data: network } = useQuery(networkClientsQuery);
  const clients = network?.items.filter(({ queries_last_day: queries }) => queries > 0).length ?? 0;
  const ofScope = (all ?? []).filter(({ dns_server_id: id }) => scope.server === undefined || scope.server === id);
  // Not those that were removed since.
  const present = new Set(ofScope.map(({ id }) => id));
  const activeNow = devices?.filter(({ device_id: id }) => present.has(id));
  const now = Date.now();
  const sum = (of: 'queries' | 'blocked') => times?.reduce((total, { value }) => total + value[of], 0);
  const [queries, blocked] = [sum('queries'), sum('blocked')];
  const complete = completeBuckets(times ?? [], now);
  const change = (of: 'queries' | 'blocked'): string | undefined => {
    const relative = times && before && changeOf(times, before, ({ value }) => value[of], now);
    if (relative === undefined) return undefined;
    return t('figures.change', {
      change: number(relative, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }),
    });
  };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} component="dl" m={0}>
      <Card
        name={t('figures.queries')}
        value={queries === undefined ? undefined : number(queries)}
        link={(content) => (
          <Link className="subtle-link" to="/log" search={logSearch(scope, {})} preload={false}>
            {content}
          </Link>
        )}
        more={rate === undefined ? undefined : t('figures.perMinute', { count: rate, rate: number(rate) })}
        hint={change('queries')}
        chart={<Sparkline colour="accent" values={complete.map(({ value }) => value.queries)} />}
      />
      <Card
        name={t('figures.blocked')}
        value={queries === undefined ? undefined : share(queries === 0 ? 0 : (blocked ?? 0) / queries)}
        link={(content) => (
          <Link className="subtle-link" to="/log" search={logSearch(scope, BLOCKED_STATUSES)} preload={false}>
            {content}
          </Link>
        )}
        more={blocked === undefined ? undefined : number(blocked)}
        hint={change('blocked')}
        chart={
          <Sparkline
            colour="blocked"
            values={complete.map(({ value }) => (value.queries === 0 ? 0 : value.blocked / value.queries))}
          />
        }
      />
      <LatencyCard scope={scope} />
      <Card
        name={t('figures.devices')}
        value={all && activeNow && number(activeNow.length)}
        more={all && scope.device === undefined ? t('figures.total', { total: number(ofScope.length) }) : undefined}
        hint={
          clients > 0 && scope.device === undefined && scope.server === undefined
            ? t('figures.networkClients', { number: number(clients) })
            : undefined
        }
        link={(content) => (
          <Link className="subtle-link" to="/devices">
            {content}
          </Link>
        )}
        chart={
          <Sparkline colour="accent" values={completeBuckets(active ?? [], now).map((bucket) => bucket.devices)} />
        }
      />
    </SimpleGrid>
  );
}

/** Average over all queries of the period whose latency is known. */
function LatencyCard({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const latencyText = useLatency();
  const { data: buckets } = useQuery(latencyStatsQuery(scope));
  const nonEmpty = buckets?.filter(({ queries }) => queries > 0);
  const queries = nonEmpty?.reduce((sum, bucket) => sum + bucket.queries, 0) ?? 0;
  const ms = nonEmpty?.reduce((sum, bucket) => sum + bucket.queries * (bucket.average_millis ?? 0), 0) ?? 0;
  return (
    <Card
      name={t('figures.latency')}
      value={nonEmpty && (queries === 0 ? t('figures.unknown') : latencyText(ms / queries))}
      hint={t('figures.latencyHint')}
      chart={<Sparkline colour="accent" values={nonEmpty?.map(({ average_millis = 0 }) => average_millis) ?? []} />}
    />
  );
}

/** The same buckets in the period before; fixed when the period is chosen, so that it is one query. */
function usePrevious(scope: Scope) {
  const text = periodText(scope.period);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the previous period is fixed when the period is chosen
  const period = useMemo(() => previousPeriod(scope.period, Date.now()), [text]);
  return timeStatsQuery({ ...scope, period });
}

type CardProps = {
  readonly name: string;
  readonly value: string | undefined;
  /** Wraps the name. */
  readonly link?: (content: ReactNode) => ReactNode;
  readonly more?: string | undefined;
  readonly hint?: string | undefined;
  readonly chart?: ReactNode;
};

const Card = ({ name, value, link = (content) => content, more, hint, chart }: CardProps) => (
  <Paper withBorder p="md" className={classes['card']}>
    <Text component="dt" size="sm" c="dimmed">
      {link(name)}
    </Text>
    <dd className={classes['value']}>
      {value === undefined ? <Skeleton h={34} w={90} /> : <span className={classes['number']}>{value}</span>}
      {more !== undefined && (
        <Text span size="sm" c="dimmed">
          {more}
        </Text>
      )}
    </dd>
    <dd className={classes['hint']}>{hint}</dd>
    <dd className={classes['chart']}>{chart}</dd>
  </Paper>
);

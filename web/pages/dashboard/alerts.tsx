import { Anchor, Paper, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { alertsQuery } from '../../api/alerts.ts';
import type { AccountAlert } from '../../api/wire.ts';
import { TimeAgo } from '../../components/format.tsx';
import classes from './alerts.module.css';

const isNews = ({ code }: AccountAlert): boolean => code === 'new_device' || code === 'new_network_client';

/** One row for all new devices, one for all new clients, and one for each problem. */
const rowsOf = (alerts: readonly AccountAlert[]): readonly AccountAlert[][] => [
  ...Map.groupBy(alerts, (alert) => (isNews(alert) ? alert.code : `${alert.code} ${alert.subject}`)).values(),
];

/** Problems of lists, upstreams and certificates, and new devices; nothing without any. */
export function Alerts() {
  const { t } = useTranslation('dashboard');
  const { data: alerts = [] } = useQuery(alertsQuery);
  if (alerts.length === 0) return null;
  return (
    <Paper component="section" withBorder px="md" py="sm" aria-label={t('alerts.title')}>
      <ul className={classes['list']}>
        {rowsOf(alerts).map((same) => (
          <Row key={`${same[0]!.code} ${same[0]!.subject}`} alerts={same} />
        ))}
      </ul>
    </Paper>
  );
}

/** Alerts of one kind; the first is the newest. */
function Row({ alerts }: { alerts: readonly AccountAlert[] }) {
  const { t } = useTranslation('dashboard');
  const first = alerts[0]!;
  const name = alerts.map(({ name, subject }) => name ?? subject).join(', ');
  return (
    <li className={classes['row']}>
      {isNews(first) ? (
        <IconInfoCircle className={classes['news']} size={18} stroke={1.8} aria-hidden />
      ) : (
        <IconAlertTriangle className={classes['problem']} size={18} stroke={1.8} aria-hidden />
      )}
      <Text size="sm" className={classes['text']}>
        {t(`alerts.${first.code}`, { name, count: alerts.length })}
      </Text>
      {first.code !== 'upstream_down' && (
        <Text size="sm" c="dimmed">
          <TimeOf alert={first} />
        </Text>
      )}
      <AlertLink alert={first} isAlone={alerts.length === 1} />
    </li>
  );
}

function TimeOf({ alert: { code, time } }: { alert: AccountAlert }) {
  const { i18n } = useTranslation('dashboard');
  const millis = Date.parse(time);
  if (code !== 'certificate_expires') return <TimeAgo millis={millis} />;
  return new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(millis);
}

function AlertLink({ alert: { code, subject }, isAlone }: { alert: AccountAlert; isAlone: boolean }) {
  const { t } = useTranslation('dashboard');
  switch (code) {
    case 'new_device':
      return (
        <Anchor
          size="sm"
          renderRoot={(props) =>
            isAlone ? (
              <Link to="/devices/$deviceId" params={{ deviceId: subject }} {...props} />
            ) : (
              <Link to="/devices" {...props} />
            )
          }
        >
          {t('alerts.open')}
        </Anchor>
      );
    case 'new_network_client':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/clients" {...props} />}>
          {t('alerts.open')}
        </Anchor>
      );
    case 'list_failed':
    case 'list_held_back':
    case 'list_stale':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/profiles" {...props} />}>
          {t('alerts.check')}
        </Anchor>
      );
    default:
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/system" {...props} />}>
          {t('alerts.check')}
        </Anchor>
      );
  }
}

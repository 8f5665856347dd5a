import { Alert, Loader, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLastQuery } from '../../api/device-queries.ts';
import { DomainName } from '../../components/domain-name.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { useNow } from '../../components/use-now.ts';

const RECENT_MS = 10 * 60_000;

/** Turns green with the first query of a client in the network. */
export function NetworkCheck({ server }: { server: string }) {
  const { t } = useTranslation('network');
  const last = useLastQuery({ dns_servers: server });
  const now = useNow();
  if (!last || now - last.time_millis >= RECENT_MS)
    return (
      <Alert color="gray" role="status" icon={<Loader size={20} />} title={t('check.waiting')}>
        <Text size="sm">{t('check.waitingText')}</Text>
      </Alert>
    );
  return (
    <Alert color="green" role="status" icon={<IconShieldCheck />} title={t('check.seen')}>
      <Text size="sm">
        {t('check.last')} <DomainName name={last.domain} />
        {last.client_address !== undefined && ` ${t('check.from')} ${last.client_address}`} ·{' '}
        <TimeAgo millis={last.time_millis} />
      </Text>
    </Alert>
  );
}

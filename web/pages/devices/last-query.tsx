import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lastQueryQuery } from '../../api/device-queries.ts';
import { DomainName } from '../../components/domain-name.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';

const REFETCH_MS = 15_000;

/** Domain, time, protocol and address of the latest query of a device. */
export function LastQuery({ device }: { device: string }) {
  const { t } = useTranslation(['devices', 'log']);
  const { data: query, isError } = useQuery({ ...lastQueryQuery({ devices: device }), refetchInterval: REFETCH_MS });
  return (
    <Section title={t('lastQuery.title')}>
      {query === undefined && !isError && <Skeleton h={25} w="60%" />}
      {query === null && <Text>{t('lastQuery.none')}</Text>}
      {query && (
        <Text component="div">
          <DomainName name={query.domain} />
          {' · '}
          <TimeAgo millis={query.time_millis} />
          {query.dns_proto_type && ` · ${t(`log:protocols.${query.dns_proto_type}`)}`}
          {query.client_address !== undefined && ` · ${t('lastQuery.from', { address: query.client_address })}`}
        </Text>
      )}
    </Section>
  );
}

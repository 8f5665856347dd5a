import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { networksQuery } from '../../api/networks.ts';
import { serversQuery } from '../../api/servers.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { BlockTest } from './block-test.tsx';
import { DnsAddresses } from './dns-addresses.tsx';
import { NetworkCheck } from './network-check.tsx';
import { NetworkList } from './network-list.tsx';
import { ProtectQuestion } from './protect-question.tsx';
import { RouterSteps } from './router-steps.tsx';

/** Protects a whole network: the question, the addresses for the router, the check, the networks. */
export function NetworkPage() {
  const { t } = useTranslation('network');
  const networks = useQuery(networksQuery);
  const servers = useQuery(serversQuery);
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} />
      {networks.isPending || servers.isPending ? (
        <LoadingState />
      ) : !networks.data || !servers.data ? (
        <ErrorState error={networks.error ?? servers.error} retry={networks.refetch} />
      ) : networks.data.networks.length === 0 && networks.data.assignable === 'none' ? (
        <Text>{t('forbidden')}</Text>
      ) : networks.data.networks.length === 0 ? (
        <ProtectQuestion networks={networks.data} servers={servers.data} />
      ) : (
        <Stack>
          <NetworkCheck server={networks.data.networks[0]!.dns_server_id} />
          <DnsAddresses addresses={networks.data.dns_addresses} />
          <RouterSteps addresses={networks.data.dns_addresses.map(({ address }) => address)} />
          <BlockTest servers={servers.data} />
          <NetworkList networks={networks.data} servers={servers.data} />
        </Stack>
      )}
    </>
  );
}

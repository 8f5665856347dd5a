import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { findQuery } from '../../api/device-queries.ts';
import type { DnsServer } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Section } from '../../components/section.tsx';
import { isBlocked } from '../log/status-badge.tsx';
import { newTestDomain, openTestDomain } from './test-domain.ts';

const ATTEMPTS = 20;
const INTERVAL_MS = 300;

/** Looks up a new subdomain of a domain that filter lists block, and reads from the log what the resolver did. */
async function testBlocking() {
  const domain = newTestDomain();
  openTestDomain(domain);
  return (await findQuery(domain, ATTEMPTS, INTERVAL_MS)) ?? null;
}

export function BlockTest({ servers }: { servers: readonly DnsServer[] }) {
  const { t } = useTranslation('network');
  const { mutate, data, isPending, isError, error } = useMutation({ mutationFn: testBlocking });
  return (
    <Section title={t('test.title')} text={t('test.text')}>
      <Stack align="flex-start">
        <Button onClick={() => mutate()} loading={isPending} variant={data ? 'default' : 'filled'}>
          {data === undefined ? t('test.run') : t('test.again')}
        </Button>
        {isError && <ErrorAlert error={error} />}
        {data !== undefined && !isPending && <Outcome query={data} servers={servers} />}
      </Stack>
    </Section>
  );
}

type Found = Awaited<ReturnType<typeof testBlocking>>;

function Outcome({ query, servers }: { query: Found; servers: readonly DnsServer[] }) {
  const { t } = useTranslation('network');
  if (query === null)
    return (
      <Alert color="orange" role="status" title={t('test.missing')}>
        <Text size="sm">{t('test.missingText')}</Text>
      </Alert>
    );
  const { filtering_status: status = 'UNKNOWN', filter_rule: rule } = query.filtering_info;
  if (isBlocked(status))
    return (
      <Alert color="green" role="status" title={t('test.blocked')}>
        {rule !== undefined && <Text size="sm">{t('test.blockedText', { rule })}</Text>}
      </Alert>
    );
  const server = servers.find(({ id }) => id === query.dns_server_id)?.name ?? '';
  return (
    <Alert color="orange" role="status" title={t('test.open')}>
      <Text size="sm">{t('test.openText', { server })}</Text>
    </Alert>
  );
}

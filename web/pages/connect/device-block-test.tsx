import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findQuery } from '../../api/device-queries.ts';
import { devicesQuery } from '../../api/devices.ts';
import type { Device, LogItem } from '../../api/wire.ts';
import { ProtectionReasons } from '../../components/protection-state.tsx';
import { Section } from '../../components/section.tsx';
import { useProtection } from '../../components/use-protection.ts';
import { AddressLine } from '../devices/address-line.tsx';
import { isBlocked } from '../log/status-badge.tsx';
import { newTestDomain, openTestDomain } from '../network/test-domain.ts';

const POLL_MS = 2000;

/** The device opens a domain that filter lists block; the log shows what became of it. */
export function DeviceBlockTest({ device }: { device: Device }) {
  const { t } = useTranslation('connect');
  const [domain, setDomain] = useState(newTestDomain);
  const { data: query } = useQuery({
    queryKey: ['block test', domain],
    queryFn: async () => (await findQuery(domain, 1, 0)) ?? null,
    refetchInterval: ({ state }) => (state.data ? false : POLL_MS),
  });
  const protection = useProtection({ server: device.dns_server_id });
  const isOff = protection?.state === 'off' || protection?.state === 'paused';
  return (
    <Section title={t('test.title')} text={t('test.text', { name: device.name })}>
      <Stack>
        {isOff && (
          <Alert color="orange" title={t('test.notNow')}>
            <ProtectionReasons protection={protection} target={{ server: device.dns_server_id }} />
          </Alert>
        )}
        <AddressLine label={t('test.address')} address={`http://${domain}/`} />
        <div role="status">
          {query ? (
            <Outcome query={query} device={device} />
          ) : (
            <Group gap="xs" wrap="nowrap">
              <Loader size={16} />
              <Text size="sm" c="dimmed">
                {t('test.waiting')}
              </Text>
            </Group>
          )}
        </div>
        <Group>
          <Button variant="default" onClick={query ? () => setDomain(newTestDomain()) : () => openTestDomain(domain)}>
            {query ? t('test.again') : t('test.here')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function Outcome({ query, device }: { query: LogItem; device: Device }) {
  const { t } = useTranslation('connect');
  const { data: devices = [] } = useQuery(devicesQuery);
  const { name } = device;
  if (query.device_id !== device.id) {
    const other = devices.find(({ id }) => id === query.device_id)?.name ?? query.client_address ?? t('test.unknown');
    return (
      <Alert color="orange" title={t('test.other', { other })}>
        <Text size="sm">{t('test.otherText', { name })}</Text>
      </Alert>
    );
  }
  const { filtering_status: status = 'UNKNOWN', filter_rule: rule } = query.filtering_info;
  if (isBlocked(status))
    return (
      <Alert color="green" title={t('test.blocked', { name })}>
        {rule !== undefined && <Text size="sm">{t('test.rule', { rule })}</Text>}
      </Alert>
    );
  return (
    <Alert color="orange" title={t('test.open')}>
      <Text size="sm">{t('test.openText', { name })}</Text>
    </Alert>
  );
}

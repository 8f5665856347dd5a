import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Networks } from '../../api/wire.ts';
import { Section } from '../../components/section.tsx';
import { DNS_PORT, isLoopback } from '../connect/settings-text.ts';
import { AddressLine } from '../devices/address-line.tsx';

export function DnsAddresses({ addresses }: { addresses: Networks['dns_addresses'] }) {
  const { t } = useTranslation('network');
  const otherPort = addresses.find(({ port }) => port !== DNS_PORT)?.port;
  const isLocalOnly = addresses.length > 0 && addresses.every(({ address }) => isLoopback(address));
  return (
    <Section title={t('addresses.title')} text={t('addresses.text')}>
      <Stack gap="xs">
        {addresses.length === 0 && <Text>{t('addresses.none')}</Text>}
        {addresses.map(({ address }) => (
          <AddressLine key={address} label={t('addresses.address')} address={address} />
        ))}
        {isLocalOnly && <Alert color="orange">{t('addresses.loopback')}</Alert>}
        {otherPort !== undefined && <Alert color="orange">{t('addresses.port', { port: otherPort })}</Alert>}
      </Stack>
    </Section>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';
import { Section } from '../../components/section.tsx';
import { dotNameOf, isOffered } from '../connect/settings-text.ts';
import { AddressLine } from './address-line.tsx';

const profiles = [
  { protocol: 'doh', needs: 'doh', label: 'addresses.profileDoh' },
  { protocol: 'dot', needs: 'private dns', label: 'addresses.profileDot' },
] as const;

export function Addresses({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { dns_addresses: addresses, id } = device;
  const plain = addresses.ip_addresses ?? [];
  const offered = profiles.filter(({ needs }) => isOffered(device, needs));
  const hasDoh = isOffered(device, 'doh');
  const hasDot = isOffered(device, 'dot');
  const hasAny = hasDoh || hasDot || plain.length > 0;
  return (
    <Section title={t('addresses.title')} {...(hasAny && { text: t('addresses.text') })}>
      {hasDoh && <AddressLine label={t('addresses.doh')} address={addresses.dns_over_https_url} />}
      {hasDot && <AddressLine label={t('addresses.dot')} address={dotNameOf(device)} />}
      {!hasDoh && !hasDot && (
        <Text size="sm" c="dimmed">
          {t('addresses.noEncrypted')}
        </Text>
      )}
      {plain.map(({ ip_address: ip }) => (
        <AddressLine key={ip} label={t('addresses.ip')} address={ip} />
      ))}
      {plain.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('addresses.noPlain')}
        </Text>
      )}
      {offered.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            {t('addresses.profile')}
          </Text>
          <Group gap="xs">
            {offered.map(({ protocol, label }) => (
              <Button
                key={protocol}
                component="a"
                href={`/oapi/v1/devices/${id}/${protocol}.mobileconfig`}
                download
                variant="default"
                size="sm"
                leftSection={<IconDownload size={16} />}
              >
                {t(label)}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
    </Section>
  );
}

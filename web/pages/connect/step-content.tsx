import { Anchor, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { AddressLine } from '../devices/address-line.tsx';
import { dotNameOf, isLoopback, resolverAddress, settingsOf, UNKNOWN_ADDRESS } from './settings-text.ts';

const QrCode = lazy(() => import('../../components/qr-code.tsx').then((module) => ({ default: module.QrCode })));

export type StepProps = { readonly device: Device };

/** Profiles require a session, so the phone opens this page and the user signs in there. */
export function PageAsQrCode() {
  const { t } = useTranslation('connect');
  return (
    <Stack gap="xs" align="flex-start">
      <Center mih={180} miw={180}>
        <Suspense fallback={<Loader />}>
          <QrCode text={location.href} label={t('qr')} size={180} />
        </Suspense>
      </Center>
      {isLoopback(location.hostname) && (
        <Text size="sm" c="dimmed">
          {t('loopback')}
        </Text>
      )}
    </Stack>
  );
}

const profiles = [
  { protocol: 'doh', label: 'profile.doh' },
  { protocol: 'dot', label: 'profile.dot' },
] as const;

export function Profiles({ device: { id } }: StepProps) {
  const { t } = useTranslation('connect');
  return (
    <Group gap="xs">
      {profiles.map(({ protocol, label }, index) => (
        <Button
          key={protocol}
          component="a"
          href={`/oapi/v1/devices/${id}/${protocol}.mobileconfig`}
          download
          variant={index === 0 ? 'filled' : 'default'}
          leftSection={<IconDownload size={16} />}
        >
          {t(label)}
        </Button>
      ))}
    </Group>
  );
}

export function DotName({ device }: StepProps) {
  const { t } = useTranslation('connect');
  return <AddressLine label={t('dotName')} address={dotNameOf(device)} />;
}

export function DohUrl({ device }: StepProps) {
  const { t } = useTranslation('connect');
  return <AddressLine label={t('dohUrl')} address={device.dns_addresses.dns_over_https_url} />;
}

export function ResolverAddress({ device }: StepProps) {
  const { t } = useTranslation('connect');
  const address = resolverAddress(device, location.hostname);
  return address === UNKNOWN_ADDRESS ? (
    <Text size="sm" c="dimmed">
      {t('unknownAddress')}
    </Text>
  ) : (
    <AddressLine label={t('resolver')} address={address} />
  );
}

const fileNames = {
  resolved: '/etc/systemd/resolved.conf.d/weir.conf',
  restartResolved: 'systemd-resolved',
  networkManager: 'NetworkManager',
  windows: 'PowerShell',
  dnsmasq: 'dnsmasq.conf',
} as const;

const settingsBlock = (name: keyof typeof fileNames) =>
  function SettingsBlock({ device }: StepProps) {
    const { t } = useTranslation('connect');
    const text = settingsOf(device, location.hostname)[name];
    return (
      <Stack gap={4}>
        <CodeBlock text={text} label={fileNames[name]} />
        {text.includes(UNKNOWN_ADDRESS) && (
          <Text size="sm" c="dimmed">
            {t('unknownAddress')}
          </Text>
        )}
      </Stack>
    );
  };

export const ResolvedFile = settingsBlock('resolved');
export const RestartResolved = settingsBlock('restartResolved');
export const NetworkManagerCommands = settingsBlock('networkManager');
export const PowerShellCommand = settingsBlock('windows');
export const DnsmasqLines = settingsBlock('dnsmasq');

export function LinkToDevice({ device: { id } }: StepProps) {
  const { t } = useTranslation('connect');
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: id }} {...props} />}>
      {t('toLinkedAddress')}
    </Anchor>
  );
}

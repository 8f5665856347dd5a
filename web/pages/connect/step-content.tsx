import { Alert, Anchor, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { AddressLine } from '../devices/address-line.tsx';
import { DNS_PORT, dotNameOf, isLoopback, isOffered, settingsOf, UNKNOWN_ADDRESS } from './settings-text.ts';
import { usePlainServer } from './use-plain-server.ts';

const QrCode = lazy(() => import('../../components/qr-code.tsx').then((module) => ({ default: module.QrCode })));

export type StepProps = { readonly device: Device };

/** Profiles require a session, so the phone opens this page and the user signs in there. */
export function PageAsQrCode() {
  const { t } = useTranslation('connect');
  // Another device would open its own loopback address.
  if (isLoopback(location.hostname))
    return (
      <Text size="sm" c="dimmed">
        {t('loopback')}
      </Text>
    );
  return (
    <Center mih={180} w={180}>
      <Suspense fallback={<Loader />}>
        <QrCode text={location.href} label={t('qr')} size={180} />
      </Suspense>
    </Center>
  );
}

const profiles = [
  { protocol: 'doh', needs: 'doh', label: 'profile.doh' },
  { protocol: 'dot', needs: 'private dns', label: 'profile.dot' },
] as const;

export function Profiles({ device }: StepProps) {
  const { t } = useTranslation('connect');
  const { id } = device;
  const offered = profiles.filter(({ needs }) => isOffered(device, needs));
  return (
    <Group gap="xs">
      {offered.map(({ protocol, label }, index) => (
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
  const { t } = useTranslation(['connect', 'network']);
  const { address, port } = usePlainServer(device);
  return address === UNKNOWN_ADDRESS ? (
    <Text size="sm" c="dimmed">
      {t('noAddress')}
    </Text>
  ) : (
    <Stack gap="xs">
      <AddressLine label={t('resolver')} address={address} />
      {port !== DNS_PORT && <Alert color="orange">{t('network:addresses.port', { port })}</Alert>}
    </Stack>
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
    const text = settingsOf(device, usePlainServer(device))[name];
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

const linkToDevice = (label: 'toLinkedAddress' | 'toIdentifiers') =>
  function LinkToDevice({ device: { id } }: StepProps) {
    const { t } = useTranslation('connect');
    return (
      <Anchor size="sm" renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: id }} {...props} />}>
        {t(label)}
      </Anchor>
    );
  };

export const LinkToLinkedAddress = linkToDevice('toLinkedAddress');
export const LinkToIdentifiers = linkToDevice('toIdentifiers');

import { Anchor, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Device, DnsServer } from '../../api/wire.ts';
import { deviceIcons } from './device-icons.ts';
import { ProtectionSwitch } from './protection-switch.tsx';

type Props = { readonly devices: readonly Device[]; readonly servers: readonly DnsServer[] };

export function DeviceList({ devices, servers }: Props) {
  const { t } = useTranslation('devices');
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  return (
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('server')}</Table.Th>
          <Table.Th w={90} ta="end">
            {t('protection')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {devices.map((device) => (
          <Row key={device.id} device={device} server={nameOf.get(device.dns_server_id) ?? t('unknownServer')} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ device, server }: { device: Device; server: string }) {
  const { t } = useTranslation('devices');
  const Icon = deviceIcons[device.device_type];
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Icon size={22} stroke={1.4} aria-hidden />
          <div>
            <Anchor
              fw={500}
              renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: device.id }} {...props} />}
            >
              <bdi>{device.name}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed">
              {t(`types.${device.device_type}`)}
              <Text span hiddenFrom="sm" size="sm">
                {' · '}
                <bdi>{server}</bdi>
              </Text>
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <bdi>{server}</bdi>
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end">
          <ProtectionSwitch device={device} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

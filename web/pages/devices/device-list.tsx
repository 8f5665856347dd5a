import { Anchor, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deviceProtectionQuery } from '../../api/protection.ts';
import type { Device, DnsServer, ProtectionView } from '../../api/wire.ts';
import { ProtectionBadge } from '../../components/protection-state.tsx';
import { deviceIcons } from './device-icons.ts';
import { ProtectionSwitch } from './protection-switch.tsx';

type Props = { readonly devices: readonly Device[]; readonly servers: readonly DnsServer[] };

export function DeviceList({ devices, servers }: Props) {
  const { t } = useTranslation('devices');
  const { data: states = [] } = useQuery(deviceProtectionQuery());
  const stateOf = new Map(states.map((state) => [state.device_id, state]));
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  return (
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('server')}</Table.Th>
          <Table.Th ta="end">{t('protection')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {devices.map((device) => (
          <Row
            key={device.id}
            device={device}
            server={nameOf.get(device.dns_server_id) ?? t('unknownServer')}
            protection={stateOf.get(device.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type RowProps = {
  readonly device: Device;
  readonly server: string;
  readonly protection: ProtectionView | undefined;
};

function Row({ device, server, protection }: RowProps) {
  const target = { device: device.id, server: device.dns_server_id };
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
        <Group justify="flex-end" gap="xs">
          {protection && <ProtectionBadge protection={protection} target={target} />}
          <ProtectionSwitch device={device} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

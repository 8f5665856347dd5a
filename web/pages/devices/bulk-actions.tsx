import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { moveDevices, removeDevices, restoreDevices } from '../../api/devices.ts';
import type { Device, DnsServer } from '../../api/wire.ts';
import { notifyWithUndo } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';

type Props = {
  readonly devices: readonly Device[];
  readonly servers: readonly DnsServer[];
  readonly onClear: () => void;
};

type Move = ReadonlyMap<string, string>;

/** Actions for the selected devices. */
export function BulkActions({ devices, servers, onClear }: Props) {
  const { t } = useTranslation('devices');
  const { length: count } = devices;
  const undoing = useAction((before: Move) => moveDevices(before));
  const moving = useAction(({ to }: { to: DnsServer; before: Move }) => moveTo(devices, to), {
    onDone: (_, { to, before }) => {
      notifyWithUndo(t('bulk.moved', { count, server: to.name }), () => undoing.mutate(before));
      onClear();
    },
  });
  const restoring = useAction((ids: readonly string[]) => restoreDevices(ids));
  const removing = useAction((ids: readonly string[]) => removeDevices(ids), {
    onDone: (_, ids) => {
      notifyWithUndo(t('bulk.removed', { count }), () => restoring.mutate(ids));
      onClear();
    },
  });
  return (
    <Group gap="xs" mb="sm" role="toolbar" aria-label={t('bulk.label')}>
      <Text size="sm" fw={500}>
        {t('bulk.count', { count })}
      </Text>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            loading={moving.isPending}
            rightSection={<IconChevronDown size={14} />}
          >
            {t('bulk.move')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
          {servers.map((server) => (
            <Menu.Item
              key={server.id}
              onClick={() =>
                moving.mutate({
                  to: server,
                  before: new Map(devices.map((device) => [device.id, device.dns_server_id])),
                })
              }
            >
              <bdi>{server.name}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        loading={removing.isPending}
        onClick={() => removing.mutate(devices.map(({ id }) => id))}
      >
        {t('bulk.remove')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
    </Group>
  );
}

const moveTo = (devices: readonly Device[], { id }: DnsServer): Promise<void> =>
  moveDevices(new Map(devices.map((device) => [device.id, id])));

import { Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';

/** An account may have thousands of devices; the list of all of them has a search. */
const MAX_SHOWN = 50;

type Props = {
  readonly devices: readonly Device[];
  readonly to: '/devices/$deviceId' | '/devices/$deviceId/connect';
};

/** Names of devices as links. */
export function DeviceLinks({ devices, to }: Props) {
  const { t } = useTranslation('common');
  return (
    <List listStyleType="none" spacing="xs">
      {devices.slice(0, MAX_SHOWN).map(({ id, name }) => (
        <List.Item key={id}>
          <Anchor
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => <Link to={to} params={{ deviceId: id }} {...props} />}
          >
            <bdi>{name}</bdi>
          </Anchor>
        </List.Item>
      ))}
      {devices.length > MAX_SHOWN && (
        <List.Item>
          <Anchor renderRoot={(props) => <Link to="/devices" {...props} />}>
            {t('allDevices', { count: devices.length - MAX_SHOWN })}
          </Anchor>
        </List.Item>
      )}
    </List>
  );
}

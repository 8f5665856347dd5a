import { Anchor, Checkbox, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LastQuery } from '../../../src/client/operations.ts';
import type { DeviceActivity } from '../../api/device-activity.ts';
import type { Device, ProtectionView } from '../../api/wire.ts';
import { TimeAgo, useFormat } from '../../components/format.tsx';
import { ProtectionBadge } from '../../components/protection-state.tsx';
import { deviceIcons } from './device-icons.ts';
import classes from './device-list.module.css';
import { ProtectionSwitch } from './protection-switch.tsx';

type Props = {
  readonly device: Device;
  readonly index: number;
  readonly topPx: number;
  readonly server: string;
  readonly protection: ProtectionView | undefined;
  /** Undefined while it loads. */
  readonly activity: DeviceActivity | undefined;
  readonly lastQuery: LastQuery | undefined;
  readonly isSelected: boolean;
  readonly onSelect: ((ids: readonly string[], isSelected: boolean) => void) | undefined;
};

/** Rendered again only for other values: the list renders several times while it measures itself and its data arrive. */
export const DeviceRow = memo(function DeviceRow(props: Props) {
  const { device, index, topPx, server, protection, activity, lastQuery, isSelected, onSelect } = props;
  const { t } = useTranslation('devices');
  const { id, name, device_type: type, dns_server_id } = device;
  const Icon = deviceIcons[type];
  return (
    <tr
      className={classes['row']}
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <td>
        {onSelect && (
          <Checkbox
            size="xs"
            aria-label={t('bulk.select', { name })}
            checked={isSelected}
            onChange={(event) => onSelect([id], event.currentTarget.checked)}
          />
        )}
      </td>
      <td className={classes['device']}>
        <Icon size={22} stroke={1.4} aria-hidden />
        <div>
          <Anchor
            fw={500}
            className={classes['text']}
            title={name}
            renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: id }} {...props} />}
          >
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="sm" c="dimmed" className={classes['text']}>
            <span className={classes['type']}>{t(`types.${type}`)}</span>
            <span className={classes['withoutProfile']}>
              <span className={classes['type']}>{' · '}</span>
              <bdi>{server}</bdi>
            </span>
            {activity?.lastSeen !== undefined && (
              <span className={classes['withoutSeen']}>
                {' · '}
                <TimeAgo millis={activity.lastSeen} />
              </span>
            )}
          </Text>
        </div>
      </td>
      <td className={classes['profile']}>
        <bdi className={classes['text']}>{server}</bdi>
      </td>
      <td className={`${classes['connection']} ${classes['number']}`}>
        {lastQuery && <Connection query={lastQuery} />}
      </td>
      <td className={`${classes['seen']} ${classes['number']}`}>
        {activity && (activity.lastSeen === undefined ? t('neverSeen') : <TimeAgo millis={activity.lastSeen} />)}
      </td>
      <td className={`${classes['today']} ${classes['number']}`}>{activity && <Today activity={activity} />}</td>
      <td className={classes['protection']}>
        {protection && <ProtectionBadge protection={protection} target={{ device: id, server: dns_server_id }} />}
        <ProtectionSwitch device={device} />
      </td>
    </tr>
  );
});

/** Protocol and address; the log has no address where the profile does not log addresses. */
function Connection({ query: { dns_proto_type: protocol, client_address: address } }: { query: LastQuery }) {
  const { t } = useTranslation('log');
  return (
    <>
      {protocol && <span className={classes['text']}>{t(`protocols.${protocol}`)}</span>}
      {address !== undefined && (
        <Text size="xs" c="dimmed" className={classes['text']} title={address}>
          <bdi>{address}</bdi>
        </Text>
      )}
    </>
  );
}

function Today({ activity: { queriesToday: queries, blockedToday: blocked } }: { activity: DeviceActivity }) {
  const { t } = useTranslation('devices');
  const { number, share } = useFormat();
  return (
    <>
      {t('today', { count: queries, queries: number(queries) })}
      {queries > 0 && (
        <Text size="xs" c="dimmed">
          {t('todayBlocked', { share: share(blocked / queries) })}
        </Text>
      )}
    </>
  );
}

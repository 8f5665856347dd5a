import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceActivityQuery } from '../../api/device-activity.ts';
import { deviceProtectionQuery } from '../../api/protection.ts';
import type { Device, DnsServer } from '../../api/wire.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import classes from './device-list.module.css';
import { DeviceRow } from './device-row.tsx';
import { useLastQueries } from './use-last-queries.ts';

type Props = {
  readonly devices: readonly Device[];
  readonly servers: readonly DnsServer[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
};

// Must match device-list.module.css.
const ROW_PX = 64;
const OVERSCAN = 6;
const columns = ['device', 'profile', 'connection', 'seen', 'today', 'protection'] as const;

/** Table of devices that renders only the visible rows. */
export function DeviceList({ devices, servers, selected, onSelect }: Props) {
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const { data: states } = useQuery(deviceProtectionQuery());
  const { data: activity } = useQuery(deviceActivityQuery);
  const stateOf = useMemo(() => new Map(states?.map((state) => [state.device_id, state])), [states]);
  const nameOf = useMemo(() => new Map(servers.map(({ id, name }) => [id, name])), [servers]);
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtualizer = useWindowVirtualizer({
    count: devices.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const shown = virtualizer.getVirtualItems();
  const lastQueryOf = useLastQueries(devices, shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0);
  const selectedCount = devices.filter(({ id }) => selected.has(id)).length;
  return (
    <div className={classes['container']}>
      <table className={classes['table']} aria-label={t('title')} aria-rowcount={devices.length + 1}>
        <thead className={classes['body']}>
          <tr className={classes['head']} aria-rowindex={1}>
            <td>
              {canEdit && (
                <Checkbox
                  size="xs"
                  aria-label={t('bulk.all')}
                  checked={selectedCount === devices.length}
                  indeterminate={selectedCount > 0 && selectedCount < devices.length}
                  onChange={(event) =>
                    onSelect(
                      devices.map(({ id }) => id),
                      event.currentTarget.checked,
                    )
                  }
                />
              )}
            </td>
            {columns.map((column) => (
              <th key={column} className={classes[column]} scope="col">
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} className={classes['table']} style={{ height: devices.length * ROW_PX }}>
          {shown.map(({ index, start }) => {
            const device = devices[index];
            if (!device) return null;
            return (
              <DeviceRow
                key={device.id}
                device={device}
                index={index}
                topPx={start - top}
                server={nameOf.get(device.dns_server_id) ?? t('unknownServer')}
                protection={stateOf.get(device.id)}
                lastQuery={lastQueryOf(device.id)}
                activity={activity && (activity.get(device.id) ?? noActivity)}
                isSelected={selected.has(device.id)}
                onSelect={canEdit ? onSelect : undefined}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const noActivity = { queriesToday: 0, blockedToday: 0, lastSeen: undefined };

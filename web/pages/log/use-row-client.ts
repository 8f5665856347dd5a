import { IconDevices2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import type { Device } from '../../api/wire.ts';
import { deviceIcons } from '../devices/device-icons.ts';
import { clientNames } from './client-names.ts';
import type { RowClient } from './log-row.tsx';
import type { LogRow } from './log-rows.ts';

/** The device or network client of a query. Deleted devices are shown by id. */
export function useRowClient() {
  const { data: devices } = useQuery(devicesQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const byId = useMemo(() => new Map(devices?.map((device) => [device.id, device])), [devices]);
  const deviceOf = useCallback((row: LogRow): Device | undefined => byId.get(row.device_id), [byId]);
  const clientOf = useMemo(() => {
    const clientByKey = new Map<string, RowClient>();
    const hosts = clientNames(clients?.items ?? []);
    const create = ({ device_id: id, client_address: address = '' }: LogRow): RowClient => {
      const device = byId.get(id);
      if (device) return { name: device.name, icon: deviceIcons[device.device_type] };
      return id === ''
        ? { name: hosts.get(address) ?? address, icon: IconDevices2 }
        : { name: id, icon: deviceIcons.UNKNOWN };
    };
    // The same object for the same client, so that rows are not rendered again.
    return (row: LogRow): RowClient => {
      const key = `${row.device_id} ${row.client_address ?? ''}`;
      const client = clientByKey.get(key) ?? create(row);
      clientByKey.set(key, client);
      return client;
    };
  }, [byId, clients]);
  return { clientOf, deviceOf };
}

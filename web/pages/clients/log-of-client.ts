import type { NetworkClient } from '../../api/wire.ts';
import type { LogSearch } from '../log/log-search.ts';

/** Filter of the query log for a client: its device, otherwise its addresses. */
export function logOfClient({ device_id: device, addresses }: NetworkClient): LogSearch | undefined {
  if (device !== undefined) return { devices: device };
  return addresses.length > 0 ? { clients: addresses.join(',') } : undefined;
}

import { useQuery } from '@tanstack/react-query';
import { deviceProtectionQuery, type ProtectionTarget, protectionQuery } from '../api/protection.ts';
import type { ProtectionView } from '../api/wire.ts';

/** The state of a device, a DNS server or the account; undefined while it loads. */
export function useProtection({ device, server }: ProtectionTarget): ProtectionView | undefined {
  const ofDevice = useQuery({ ...deviceProtectionQuery(device), enabled: device !== undefined });
  const { data } = useQuery({ ...protectionQuery, enabled: device === undefined });
  if (device !== undefined) return ofDevice.data?.find(({ device_id }) => device_id === device);
  return server === undefined ? data : data?.dns_servers.find(({ dns_server_id }) => dns_server_id === server);
}

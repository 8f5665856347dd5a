import { useQuery } from '@tanstack/react-query';
import { networksQuery } from '../../api/networks.ts';
import type { Device } from '../../api/wire.ts';
import { plainServer } from './settings-text.ts';

/** Address and port of plain DNS for this device. */
export function usePlainServer(device: Device) {
  const { data } = useQuery(networksQuery);
  return plainServer(device, data?.dns_addresses ?? [], location.hostname);
}

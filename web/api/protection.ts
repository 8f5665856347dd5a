import { queryOptions } from '@tanstack/react-query';
import { protectionRefreshMs } from './protection-refresh.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { PauseLength } from './wire.ts';

const protectionKey = ['protection'];

/** Of the account and of each DNS server. */
export const protectionQuery = queryOptions({
  queryKey: protectionKey,
  queryFn: ({ signal }) => request('GET /api/v1/protection', { signal }),
  refetchInterval: ({ state: { data } }) => protectionRefreshMs(data && [data, ...data.dns_servers]),
});

/** Of all devices, or of one. */
export const deviceProtectionQuery = (device?: string) =>
  queryOptions({
    queryKey: [...protectionKey, 'devices', device ?? ''],
    queryFn: ({ signal }) =>
      request('GET /api/v1/protection/devices', { query: { devices: device === undefined ? [] : [device] }, signal }),
    // Of all devices: their states are many, and those of their profiles show the same reasons.
    refetchInterval: ({ state: { data } }) => protectionRefreshMs(device === undefined ? [] : data),
  });

/** A device, a DNS server, or all of them. */
export type ProtectionTarget = { readonly device?: string | undefined; readonly server?: string | undefined };

export const invalidateProtection = (): Promise<void> => queryClient.invalidateQueries({ queryKey: protectionKey });

const targetOf = ({ device, server }: ProtectionTarget) => {
  if (device !== undefined) return { device_id: device };
  return server === undefined ? {} : { dns_server_id: server };
};

/** Returns the end of the pause in milliseconds. */
export async function pauseProtection(target: ProtectionTarget, length: PauseLength): Promise<number> {
  const body = { ...targetOf(target), ...length };
  const { paused_until } = await request('POST /api/v1/protection/pause', { body });
  await invalidateProtection();
  return Date.parse(paused_until);
}

export async function resumeProtection(target: ProtectionTarget): Promise<void> {
  await request('POST /api/v1/protection/resume', { body: targetOf(target) });
  await invalidateProtection();
}

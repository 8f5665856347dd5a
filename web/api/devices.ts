import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type {
  DedicatedAddress,
  DedicatedAddresses,
  Device,
  DeviceCreate,
  DeviceSettingsUpdate,
  DeviceUpdate,
  LinkedAddress,
  LinkedAddressUpdate,
} from './wire.ts';

const pathOf = (id: string): string => `/oapi/v1/devices/${encodeURIComponent(id)}`;
const ownPathOf = (id: string): string => `/api/v1/devices/${encodeURIComponent(id)}`;

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => request<Device[]>('GET', '/oapi/v1/devices', { signal }),
});

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id],
    queryFn: ({ signal }) => request<Device>('GET', pathOf(id), { signal }),
    // What the list has shown already need not be waited for.
    placeholderData: () => queryClient.getQueryData(devicesQuery.queryKey)?.find((device) => device.id === id),
  });

export const linkedAddressQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'linked'],
    queryFn: ({ signal }) => request<LinkedAddress>('GET', `${ownPathOf(id)}/linked_address`, { signal }),
  });

export const dedicatedOfDeviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'dedicated'],
    queryFn: ({ signal }) => request<DedicatedAddresses>('GET', `${pathOf(id)}/dedicated_addresses`, { signal }),
  });

export const dedicatedQuery = queryOptions({
  queryKey: ['devices', 'dedicated addresses'],
  queryFn: ({ signal }) => request<DedicatedAddress[]>('GET', '/oapi/v1/dedicated_addresses/ipv4', { signal }),
});

/** Of every device, and of how many there are: both are shown in several places. */
const changed = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
  ]);
};

async function andShow<T>(asked: Promise<T>): Promise<T> {
  const answer = await asked;
  await changed();
  return answer;
}

export const createDevice = (device: DeviceCreate): Promise<Device> =>
  andShow(request('POST', '/oapi/v1/devices', { body: device }));

export const updateDevice = (id: string, update: DeviceUpdate): Promise<void> =>
  andShow(request('PUT', pathOf(id), { body: update }));

export const updateDeviceSettings = (id: string, update: DeviceSettingsUpdate): Promise<void> =>
  andShow(request('PUT', `${pathOf(id)}/settings`, { body: update }));

export const removeDevice = (id: string): Promise<void> => andShow(request('DELETE', pathOf(id)));

export const resetDohPassword = (id: string): Promise<void> =>
  andShow(request('PUT', `${pathOf(id)}/doh_password/reset`));

export const linkAddress = (id: string, update: LinkedAddressUpdate): Promise<LinkedAddress> =>
  andShow(request('PUT', `${ownPathOf(id)}/linked_address`, { body: update }));

export const unlinkAddress = (id: string): Promise<LinkedAddress> =>
  andShow(request('DELETE', `${ownPathOf(id)}/linked_address`));

/** Gives the device an address: one that the account has and nobody uses, or a new one. */
export async function giveDedicated(id: string, free: string | undefined): Promise<string> {
  const ip = free ?? (await request<DedicatedAddress>('POST', '/oapi/v1/dedicated_addresses/ipv4')).ip;
  await andShow(request('POST', `${pathOf(id)}/dedicated_addresses/ipv4`, { body: { ip } }));
  return ip;
}

export const takeDedicated = (id: string, ip: string): Promise<void> =>
  andShow(request('DELETE', `${pathOf(id)}/dedicated_addresses/ipv4`, { query: { ip } }));

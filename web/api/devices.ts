import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type {
  DedicatedAddress,
  DedicatedAddresses,
  Device,
  DeviceCreate,
  DeviceIdentifiers,
  DeviceIdentifiersUpdate,
  DeviceSettingsUpdate,
  DeviceUpdate,
  LinkedAddress,
  LinkedAddressUpdate,
} from './wire.ts';

const pathOf = (id: string): string => `/oapi/v1/devices/${encodeURIComponent(id)}`;
const extensionPathOf = (id: string): string => `/api/v1/devices/${encodeURIComponent(id)}`;

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => request<Device[]>('GET', '/oapi/v1/devices', { signal }),
});

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id],
    queryFn: ({ signal }) => request<Device>('GET', pathOf(id), { signal }),
    // Shows the entry of the device list while the details load.
    placeholderData: () => queryClient.getQueryData(devicesQuery.queryKey)?.find((device) => device.id === id),
  });

export const linkedAddressQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'linked'],
    queryFn: ({ signal }) => request<LinkedAddress>('GET', `${extensionPathOf(id)}/linked_address`, { signal }),
  });

export const identifiersQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'identifiers'],
    queryFn: ({ signal }) => request<DeviceIdentifiers>('GET', `${extensionPathOf(id)}/identifiers`, { signal }),
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

/** Both the devices and the device counts of the servers are shown on several pages. */
const invalidateDevices = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
  ]);
};

async function thenInvalidate<T>(pending: Promise<T>): Promise<T> {
  const response = await pending;
  await invalidateDevices();
  return response;
}

export const createDevice = (device: DeviceCreate): Promise<Device> =>
  thenInvalidate(request('POST', '/oapi/v1/devices', { body: device }));

export const updateDevice = (id: string, update: DeviceUpdate): Promise<void> =>
  thenInvalidate(request('PUT', pathOf(id), { body: update }));

export const updateDeviceSettings = (id: string, update: DeviceSettingsUpdate): Promise<void> =>
  thenInvalidate(request('PUT', `${pathOf(id)}/settings`, { body: update }));

export const removeDevice = (id: string): Promise<void> => thenInvalidate(request('DELETE', pathOf(id)));

export const resetDohPassword = (id: string): Promise<void> =>
  thenInvalidate(request('PUT', `${pathOf(id)}/doh_password/reset`));

export const linkAddress = (id: string, update: LinkedAddressUpdate): Promise<LinkedAddress> =>
  thenInvalidate(request('PUT', `${extensionPathOf(id)}/linked_address`, { body: update }));

export const unlinkAddress = (id: string): Promise<LinkedAddress> =>
  thenInvalidate(request('DELETE', `${extensionPathOf(id)}/linked_address`));

export const updateIdentifiers = (id: string, update: DeviceIdentifiersUpdate): Promise<DeviceIdentifiers> =>
  thenInvalidate(request('PUT', `${extensionPathOf(id)}/identifiers`, { body: update }));

/** Assigns an unused dedicated address of the account to the device, or allocates a new one. */
export async function assignDedicated(id: string, free: string | undefined): Promise<string> {
  const ip = free ?? (await request<DedicatedAddress>('POST', '/oapi/v1/dedicated_addresses/ipv4')).ip;
  await thenInvalidate(request('POST', `${pathOf(id)}/dedicated_addresses/ipv4`, { body: { ip } }));
  return ip;
}

export const unlinkDedicated = (id: string, ip: string): Promise<void> =>
  thenInvalidate(request('DELETE', `${pathOf(id)}/dedicated_addresses/ipv4`, { query: { ip } }));

/** Returns an unused address to the pool of the operator. */
export const releaseDedicated = (ip: string): Promise<void> =>
  thenInvalidate(request('DELETE', `/api/v1/dedicated_addresses/ipv4/${encodeURIComponent(ip)}`));

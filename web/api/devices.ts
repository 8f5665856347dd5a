import { queryOptions } from '@tanstack/react-query';
import { changeLatest, mergeChanges } from './change-latest.ts';
import { invalidateProtection } from './protection.ts';
import { queryClient } from './query-client.ts';
import { exchange, request } from './request.ts';
import type {
  Device,
  DeviceCreate,
  DeviceIdentifiers,
  DeviceIdentifiersUpdate,
  DeviceSettingsUpdate,
  DeviceUpdate,
  LinkedAddress,
  LinkedAddressUpdate,
} from './wire.ts';

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => request('GET /oapi/v1/devices', { signal }),
});

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id],
    queryFn: ({ signal }) => request('GET /oapi/v1/devices/{device_id}', { params: { device_id: id }, signal }),
    // Shows the entry of the device list while the details load.
    placeholderData: () => queryClient.getQueryData(devicesQuery.queryKey)?.find((device) => device.id === id),
  });

export const linkedAddressQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'linked'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/devices/{device_id}/linked_address', { params: { device_id: id }, signal }),
  });

export const identifiersQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'identifiers'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/devices/{device_id}/identifiers', { params: { device_id: id }, signal }),
  });

export const dedicatedOfDeviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'dedicated'],
    queryFn: ({ signal }) =>
      request('GET /oapi/v1/devices/{device_id}/dedicated_addresses', { params: { device_id: id }, signal }),
  });

export const dedicatedQuery = queryOptions({
  queryKey: ['devices', 'dedicated addresses'],
  queryFn: ({ signal }) => request('GET /oapi/v1/dedicated_addresses/ipv4', { signal }),
});

/** Both the devices and the device counts of the servers are shown on several pages. */
const invalidateDevices = async (removed?: string): Promise<void> => {
  await Promise.all([
    // A page may still show the removed device; it must not be fetched again.
    queryClient.invalidateQueries({
      queryKey: devicesQuery.queryKey,
      predicate: ({ queryKey }) => removed === undefined || queryKey[1] !== removed,
    }),
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
    invalidateProtection(),
  ]);
};

async function thenInvalidate<T>(pending: Promise<T>): Promise<T> {
  const response = await pending;
  await invalidateDevices();
  return response;
}

export const createDevice = (device: DeviceCreate): Promise<Device> =>
  thenInvalidate(request('POST /oapi/v1/devices', { body: device }));

export const updateDevice = (id: string, update: DeviceUpdate): Promise<void> =>
  thenInvalidate(request('PUT /oapi/v1/devices/{device_id}', { params: { device_id: id }, body: update }));

export const updateDeviceSettings = (id: string, update: DeviceSettingsUpdate): Promise<void> =>
  thenInvalidate(request('PUT /oapi/v1/devices/{device_id}/settings', { params: { device_id: id }, body: update }));

export async function removeDevice(id: string): Promise<void> {
  await request('DELETE /oapi/v1/devices/{device_id}', { params: { device_id: id } });
  await invalidateDevices(id);
}

/** Requests at the same time; each is a transaction of the service. */
const CONCURRENCY = 4;

async function forEachDevice(ids: readonly string[], run: (id: string) => Promise<unknown>): Promise<void> {
  const queue = ids.values();
  const work = async (): Promise<void> => {
    for (const id of queue) await run(id);
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    // Also after an error: some devices may have changed.
    await invalidateDevices();
  }
}

/** Moves devices to DNS servers, by device id. */
export const moveDevices = (servers: ReadonlyMap<string, string>): Promise<void> =>
  forEachDevice([...servers.keys()], (id) =>
    request('PUT /oapi/v1/devices/{device_id}', {
      params: { device_id: id },
      body: { dns_server_id: servers.get(id)! },
    }),
  );

export const removeDevices = (ids: readonly string[]): Promise<void> =>
  forEachDevice(ids, (id) => request('DELETE /oapi/v1/devices/{device_id}', { params: { device_id: id } }));

/** Possible for a minute after the removal. */
export const restoreDevices = (ids: readonly string[]): Promise<void> =>
  forEachDevice(ids, (id) => request('POST /api/v1/devices/{device_id}/restore', { params: { device_id: id } }));

export const resetDohPassword = (id: string): Promise<void> =>
  thenInvalidate(request('PUT /oapi/v1/devices/{device_id}/doh_password/reset', { params: { device_id: id } }));

export const linkAddress = (id: string, update: LinkedAddressUpdate): Promise<LinkedAddress> =>
  thenInvalidate(
    request('PUT /api/v1/devices/{device_id}/linked_address', { params: { device_id: id }, body: update }),
  );

export const unlinkAddress = (id: string): Promise<LinkedAddress> =>
  thenInvalidate(request('DELETE /api/v1/devices/{device_id}/linked_address', { params: { device_id: id } }));

/** Saves the identifiers and tags that were edited since `base`. */
export async function updateIdentifiers(
  id: string,
  base: DeviceIdentifiersUpdate,
  edited: DeviceIdentifiersUpdate,
): Promise<DeviceIdentifiers> {
  const params = { device_id: id };
  try {
    return await changeLatest(
      () => exchange('GET /api/v1/devices/{device_id}/identifiers', { params }),
      ({ identifiers, tags }) => mergeChanges<DeviceIdentifiersUpdate>(base, edited, { identifiers, tags }),
      (body, ifMatch) => request('PUT /api/v1/devices/{device_id}/identifiers', { params, body, ifMatch }),
    );
  } finally {
    // Also after an error: others may have changed them.
    await invalidateDevices();
  }
}

/** Assigns an unused dedicated address of the account to the device, or allocates a new one. */
export async function assignDedicated(id: string, free: string | undefined): Promise<string> {
  const ip = free ?? (await request('POST /oapi/v1/dedicated_addresses/ipv4')).ip;
  await thenInvalidate(
    request('POST /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4', { params: { device_id: id }, body: { ip } }),
  );
  return ip;
}

export const unlinkDedicated = (id: string, ip: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4', {
      params: { device_id: id },
      query: { ip },
    }),
  );

/** Returns an unused address to the pool of the operator. */
export const releaseDedicated = (ip: string): Promise<void> =>
  thenInvalidate(request('DELETE /api/v1/dedicated_addresses/ipv4/{ip}', { params: { ip } }));

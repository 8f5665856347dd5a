import Type from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { changed, isUnchanged } from '../domain/audit.ts';
import type { Device as DomainDevice } from '../domain/device.ts';
import {
  RANDOM_BYTES_OF_DOH_PASSWORD,
  resetDohPassword,
  updateDevice,
  updateDeviceSettings,
} from '../domain/device-rules.ts';
import { dnsAddresses, ipv6OfDevice } from '../domain/dns-addresses.ts';
import { parseDeviceId } from '../domain/ids.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { accountProfiles, createDevice } from '../operations/create-device.ts';
import { removeDevice, restoreDevice } from '../operations/remove-device.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { listPage, pageParameters } from './lists.ts';
import { type Changed, mutation, type Operation, query } from './operation.ts';
import {
  Device,
  DeviceCreate,
  DeviceSettings,
  DeviceSettingsUpdate,
  DevicesResponse,
  DeviceUpdate,
  deviceSettingsFromWire,
  deviceSettingsToWire,
  deviceToWire,
  deviceUpdateFromWire,
  newDeviceFromWire,
} from './wire/device.ts';

const group = 'Devices';

export const DeviceParams = Type.Object({ device_id: Type.String({ description: 'Device id.' }) });

type DeviceInput = { readonly caller: Caller; readonly params: { readonly device_id: string } };

/** A device of another account is reported as not found. */
export async function findDevice(
  store: { readonly devices: Pick<StoreReader['devices'], 'find'> },
  { caller, params }: DeviceInput,
): Promise<Result<DomainDevice, ApiError>> {
  const id = parseDeviceId(params.device_id);
  const device = id && (await store.devices.find(caller.account, id));
  return device ? ok(device) : err({ kind: 'not found', what: 'device' });
}

/**
 * The members that an update can change, from which the ETag of the device and of its settings is computed. Linked addresses do not affect
 * it.
 */
async function deviceState(
  store: { readonly devices: Pick<StoreReader['devices'], 'find'> },
  input: DeviceInput,
): Promise<unknown> {
  const device = await findDevice(store, input);
  if (!device.ok) return undefined;
  const { name, type, profile, protectionEnabled, dohAuthOnly } = device.value;
  return [name, type, profile, protectionEnabled, dohAuthOnly];
}

/** The dedicated addresses of a device. */
export const deviceAddresses = (deps: Deps, device: DomainDevice, ipv4: readonly string[]) => {
  const ipv6 = deps.dns.deviceNetwork === undefined ? undefined : ipv6OfDevice(deps.dns.deviceNetwork, device);
  return { ipv4, ipv6: ipv6 === undefined ? [] : [ipv6] };
};

/** Viewers do not get the DoH password, because it allows queries as the device. */
const show = (deps: Deps, { role }: Caller, device: DomainDevice, ipv4: readonly string[]) => {
  const shown = mayWrite(role) ? device : { ...device, dohPassword: '' };
  return deviceToWire(device, dnsAddresses(shown, deps.dns.hosts, deviceAddresses(deps, device, ipv4)));
};

async function showAll(store: StoreReader, caller: Caller, deps: Deps, devices: readonly DomainDevice[]) {
  const addresses = Map.groupBy(await store.dedicated.list(caller.account), ({ device }) => device);
  return devices.map((device) =>
    show(
      deps,
      caller,
      device,
      (addresses.get(device.id) ?? []).map(({ ip }) => ip),
    ),
  );
}

async function replace(
  store: Transaction,
  before: DomainDevice,
  after: DomainDevice,
  action: string,
): Promise<Result<Changed<undefined>, ApiError>> {
  const change = changed(before, after);
  const updated = isUnchanged(change) ? ok(true) : await store.devices.update(after);
  return updated.ok ? ok({ reply: undefined, audit: { action, subject: after.id, ...change } }) : updated;
}

export const deviceOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/devices',
    operationId: 'listDevices',
    isCacheable: true,
    group,
    summary: 'List devices',
    description:
      'All devices of the account with their DNS addresses. Use the list by page for accounts with many devices.',
    reply: Type.Array(Device),
    responseDescription: 'Devices, oldest first.',
    run: async (store, { caller }, deps) =>
      ok(await showAll(store, caller, deps, await store.devices.list(caller.account))),
  }),
  mutation({
    method: 'POST',
    path: '/oapi/v1/devices',
    operationId: 'createDevice',
    group,
    summary: 'Create a device',
    description:
      'The device gets an id, which its DNS addresses contain. It uses the settings of the given DNS server.',
    body: DeviceCreate,
    reply: Device,
    responseDescription: 'The created device.',
    errors: [400, 429],
    run: async (store, { caller, body }, deps) => {
      const created = await createDevice(store, deps, caller.account, newDeviceFromWire(body));
      if (!created.ok) return created;
      const { device, audit } = created.value;
      return ok({ reply: show(deps, caller, device, []), audit });
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'getDevice',
    isCacheable: true,
    group,
    summary: 'Get a device',
    description: 'The device with its settings and DNS addresses. Viewers do not get the DNS-over-HTTPS password.',
    params: DeviceParams,
    stateOf: deviceState,
    reply: Device,
    responseDescription: 'The device.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const ipv4 = await store.dedicated.ofDevice(input.caller.account, device.value.id);
      return ok(show(deps, input.caller, device.value, ipv4));
    },
  }),
  mutation({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'updateDevice',
    group,
    summary: 'Update a device',
    description:
      'Fields that are not given stay unchanged. A different `dns_server_id` moves the device to that DNS server.',
    params: DeviceParams,
    stateOf: deviceState,
    body: DeviceUpdate,
    responseDescription: 'Device updated.',
    errors: [400, 404],
    run: async (store, input) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const profile = input.body.dns_server_id ?? device.value.profile;
      const profiles = await accountProfiles(store, input.caller.account, profile);
      const updated = updateDevice(device.value, deviceUpdateFromWire(input.body), profiles);
      return updated.ok ? replace(store, device.value, updated.value, 'device.update') : updated;
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'removeDevice',
    group,
    summary: 'Delete a device',
    description:
      'Queries with its id are treated as those of an unknown client. Its dedicated addresses stay allocated to the account. It can be restored for a minute.',
    params: DeviceParams,
    stateOf: deviceState,
    responseDescription: 'Device deleted.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      return ok({ reply: undefined, audit: await removeDevice(store, deps, device.value) });
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/devices/:device_id/restore',
    operationId: 'restoreDevice',
    group,
    summary: 'Restore a device that was deleted',
    description:
      'Within a minute after the deletion: with its id, addresses and identifiers, except those that another device has got meanwhile.',
    params: DeviceParams,
    reply: Device,
    responseDescription: 'The device.',
    errors: [404, 429],
    run: async (store, { caller, params }, deps) => {
      const id = parseDeviceId(params.device_id);
      if (!id) return err({ kind: 'not found', what: 'device' });
      const restored = await restoreDevice(store, deps, caller.account, id);
      if (!restored.ok) return restored;
      const { device, audit } = restored.value;
      const ipv4 = await store.dedicated.ofDevice(caller.account, id);
      return ok({ reply: show(deps, caller, device, ipv4), audit });
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/devices/:device_id/settings',
    operationId: 'getDeviceSettings',
    isCacheable: true,
    group,
    summary: 'Get device settings',
    description: 'The settings that apply to this device only.',
    params: DeviceParams,
    stateOf: deviceState,
    reply: DeviceSettings,
    responseDescription: 'The settings.',
    errors: [404],
    run: async (store, input) => {
      const device = await findDevice(store, input);
      return device.ok ? ok(deviceSettingsToWire(device.value)) : device;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id/settings',
    operationId: 'updateDeviceSettings',
    group,
    summary: 'Update device settings',
    description: 'Fields that are not given stay unchanged.',
    params: DeviceParams,
    stateOf: deviceState,
    body: DeviceSettingsUpdate,
    responseDescription: 'Settings updated.',
    errors: [400, 404],
    run: async (store, input) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const updated = updateDeviceSettings(device.value, deviceSettingsFromWire(input.body));
      return replace(store, device.value, updated, 'device.settings');
    },
  }),
  mutation({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id/doh_password/reset',
    operationId: 'resetDOHPassword',
    group,
    summary: 'Generate a new DNS-over-HTTPS password',
    description: 'The new password is part of `dns_over_https_with_auth_url` of the device.',
    params: DeviceParams,
    stateOf: deviceState,
    responseDescription: 'Password reset.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const updated = resetDohPassword(device.value, deps.random(RANDOM_BYTES_OF_DOH_PASSWORD));
      return replace(store, device.value, updated, 'device.doh_password');
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v2/devices',
    operationId: 'getDevices',
    group,
    summary: 'List devices by page',
    description: 'Newest first. Devices that are created while the pages are read are not included.',
    query: Type.Object({
      ...pageParameters,
      dns_servers: Type.Optional(Type.Array(Type.String(), { description: 'Filter by DNS server.' })),
      devices: Type.Optional(Type.Array(Type.String(), { description: 'Filter by device.' })),
    }),
    reply: DevicesResponse,
    responseDescription: 'A page of devices.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const { dns_servers: profiles = [], devices = [] } = query;
      const isWanted = ({ id, profile }: DomainDevice): boolean =>
        (devices.length === 0 || devices.includes(id)) && (profiles.length === 0 || profiles.includes(profile));
      const keep = devices.length + profiles.length > 0 ? isWanted : undefined;
      const page = await listPage(query, deps.now(), (wanted) => store.devices.page(caller.account, wanted), keep);
      if (!page.ok) return page;
      const { items, navigation } = page.value;
      return ok({ items: await showAll(store, caller, deps, items), navigation });
    },
  }),
];
